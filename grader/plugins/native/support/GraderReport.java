package graderreport;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Runs the calls of a test and reports what came of each. */
public final class GraderReport {
    private static final int LARGEST_VALUE = 4_000_000;
    private static final int LARGEST_REPORT = 9_000_000;
    private static final int DEEPEST = 50;
    private static final int LONGEST_MESSAGE = 1000;
    private static final int MOST_FRAMES = 20;
    private static final int SMALL_BUFFER = 128;
    /** In bits. */
    private static final int LARGEST_INTEGER = 13_000;

    /** An expression that has a value. */
    public interface Value {
        Object get() throws Throwable;
    }

    /** An expression without one. */
    public interface Action {
        void run() throws Throwable;
    }

    /** All calls of a test. */
    public interface Calls {
        void make(GraderReport report) throws Throwable;
    }

    private final StringBuilder json = new StringBuilder();
    private final OutputStream screen;
    private final PrintStream out = System.out;
    private final String begin;
    private final String raised;
    private final int wanted;
    private int steps;
    private int start;
    private boolean hasBegun;
    private boolean hasRaised;

    private GraderReport(OutputStream screen, String begin, String raised, int wanted) {
        this.screen = screen;
        this.begin = begin;
        this.raised = raised;
        this.wanted = wanted;
    }

    public static void run(String[] arguments, int wanted, Calls calls) throws Exception {
        Path request = Paths.get(arguments[0]);
        List<String> lines = Files.readAllLines(request);
        Files.delete(request);
        OutputStream channel = new FileOutputStream(descriptor(Integer.parseInt(lines.get(4))));
        OutputStream screen = new FileOutputStream(FileDescriptor.out);
        System.setOut(printStream());
        GraderReport report = new GraderReport(screen, lines.get(0), lines.get(2), wanted);
        try {
            calls.make(report);
        } catch (Throwable error) {
            report.caught(error);
        }
        if (report.hasBegun) {
            report.mark(lines.get(1));
            channel.write(report.whole(lines.get(3)).getBytes(StandardCharsets.US_ASCII));
        }
        System.exit(report.hasRaised ? 1 : 0);
    }

    /** Standard output as it is anyway, but that who closes it leaves the terminal open. */
    private static PrintStream printStream() throws IOException {
        OutputStream kept = new FileOutputStream(FileDescriptor.out) {
            @Override
            public void close() {
            }
        };
        String known = System.getProperty("stdout.encoding", System.getProperty("sun.stdout.encoding"));
        OutputStream buffered = new BufferedOutputStream(kept, SMALL_BUFFER);
        return known == null ? new PrintStream(buffered, true) : new PrintStream(buffered, true, known);
    }

    private static FileDescriptor descriptor(int number) throws ReflectiveOperationException {
        FileDescriptor descriptor = new FileDescriptor();
        Field field = FileDescriptor.class.getDeclaredField("fd");
        field.setAccessible(true);
        field.setInt(descriptor, number);
        return descriptor;
    }

    /** All before the calls is done. */
    public void begin() throws IOException {
        mark(begin);
        hasBegun = true;
    }

    /** The next call begins; its text is shown where there are several. */
    public void next(String text) throws IOException {
        if (wanted > 1) {
            mark(">>> " + text + "\n");
        }
        if (steps > 0) {
            json.append(',');
        }
        start = json.length();
        json.append("{\"returned\":");
    }

    /** A statement was executed. */
    public void done() {
        json.append("null,\"raised\":null}");
        steps++;
    }

    public void call(Value made) throws IOException {
        try {
            write(made.get(), 0);
        } catch (Throwable error) {
            caught(error);
            return;
        }
        if (json.length() - start > LARGEST_VALUE || json.length() > LARGEST_REPORT) {
            json.setLength(start);
            json.append("{\"returned\":{\"object\":\"a value too large to compare\"}");
        }
        json.append(",\"raised\":null}");
        steps++;
    }

    public void call(Action made) throws IOException {
        try {
            made.run();
        } catch (Throwable error) {
            caught(error);
            return;
        }
        done();
    }

    private String whole(String secret) {
        for (; steps < wanted; steps++) {
            json.append(steps > 0 ? "," : "").append("{\"returned\":null,\"raised\":null}");
        }
        return "{\"steps\":[" + json + "],\"given\":{},\"secret\":\"" + secret + "\"}";
    }

    private void mark(String text) throws IOException {
        System.out.flush();
        System.err.flush();
        out.flush();
        screen.write(text.getBytes(StandardCharsets.UTF_8));
    }

    private void caught(Throwable error) throws IOException {
        hasRaised = true;
        if (!hasBegun) {
            tell(error);
            return;
        }
        mark(raised);
        tell(error);
        mark(raised);
        json.setLength(start);
        json.append("{\"returned\":null,\"raised\":{\"types\":[");
        boolean isOfMany = ownWithNamesOfJava(error.getClass()) > 1;
        for (Class<?> kind = error.getClass(); kind != Object.class; kind = kind.getSuperclass()) {
            json.append(kind == error.getClass() ? "" : ",");
            String name = kind.getCanonicalName();
            if (isOfMany && hasNameOfJava(kind) || isOwn(kind) && isIn("java.lang.", kind)) {
                // It does not become a class of Java by its name, so this is a name that none has.
                text("$" + kind.getSimpleName());
                continue;
            }
            if (isOwn(kind)) {
                // It may be anywhere in the program, so a dot before its bare name comes first.
                text("." + kind.getSimpleName());
                json.append(',');
            }
            text(name == null ? kind.getName() : name);
        }
        json.append("],\"message\":");
        text(message(error));
        json.append("}}");
        steps++;
    }

    private static int ownWithNamesOfJava(Class<?> kind) {
        int count = 0;
        for (; kind != Object.class; kind = kind.getSuperclass()) {
            count += hasNameOfJava(kind) ? 1 : 0;
        }
        return count;
    }

    private static boolean hasNameOfJava(Class<?> kind) {
        return isOwn(kind) && (isIn("java.lang.", kind) || isIn("java.util.", kind) || isIn("java.io.", kind));
    }

    /** Whether a package of Java has a class with the bare name of this one. */
    private static boolean isIn(String prefix, Class<?> kind) {
        try {
            Class.forName(prefix + kind.getSimpleName(), false, null);
            return true;
        } catch (ClassNotFoundException | LinkageError error) {
            return false;
        }
    }

    /** Whether a class is the program's own. */
    private static boolean isOwn(Class<?> kind) {
        return kind.getClassLoader() == GraderReport.class.getClassLoader();
    }

    private static String message(Throwable error) {
        try {
            String message = error.getMessage();
            return message == null ? "" : message.substring(0, Math.min(message.length(), LONGEST_MESSAGE));
        } catch (Throwable other) {
            return "";
        }
    }

    /** What Java says of an error that is not caught, without our own frames. */
    private void tell(Throwable error) throws IOException {
        String message = message(error);
        StringBuilder said = new StringBuilder("Exception in thread \"main\" ").append(error.getClass().getName());
        said.append(message.isEmpty() ? "" : ": " + message).append('\n');
        int left = MOST_FRAMES;
        for (StackTraceElement frame : error.getStackTrace()) {
            if (!frame.getClassName().toLowerCase().startsWith("grader") && left > 0) {
                said.append("\tat ").append(frame).append('\n');
                left--;
            }
        }
        mark(said.toString());
    }

    private void write(Object value, int depth) throws Throwable {
        if (json.length() - start > LARGEST_VALUE) {
            return;
        }
        if (depth > DEEPEST) {
            object("a value nested very deeply");
        } else if (value == null || value instanceof Boolean) {
            json.append(value);
        } else if (value instanceof Double || value instanceof Float) {
            real(((Number) value).doubleValue(), value.toString());
        } else if (value instanceof Character || value instanceof CharSequence) {
            text(value.toString());
        } else if (value instanceof BigInteger && ((BigInteger) value).bitLength() > LARGEST_INTEGER) {
            // Python may not read longer ones in decimal.
            BigInteger number = (BigInteger) value;
            String digits = "0x" + number.abs().toString(16);
            json.append("{\"number\":\"").append(number.signum() < 0 ? "-" : "").append(digits).append("\"}");
        } else if (isInteger(value)) {
            json.append(value);
        } else if (value instanceof Enum) {
            text(((Enum<?>) value).name());
        } else if (value instanceof Optional) {
            write(((Optional<?>) value).orElse(null), depth);
        } else if (value.getClass().isArray()) {
            array(value, depth + 1);
        } else if (hasOwnText(value)) {
            text(value.toString());
        } else if (value instanceof Map) {
            map((Map<?, ?>) value, depth + 1);
        } else if (value instanceof Set) {
            json.append("{\"set\":");
            list((Iterable<?>) value, depth + 1);
            json.append('}');
        } else if (value instanceof Iterable && !(value instanceof Path)) {
            list((Iterable<?>) value, depth + 1);
        } else if (value instanceof Map.Entry) {
            Map.Entry<?, ?> entry = (Map.Entry<?, ?>) value;
            json.append("{\"tuple\":[");
            write(entry.getKey(), depth + 1);
            json.append(',');
            write(entry.getValue(), depth + 1);
            json.append("]}");
        } else {
            other(value, depth + 1);
        }
    }

    private static boolean isInteger(Object value) {
        return value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte
                || value instanceof BigInteger;
    }

    /** Whether a class of the program says itself how its objects are shown, whatever else they can do. */
    private static boolean hasOwnText(Object value) throws ReflectiveOperationException {
        Class<?> kind = value.getClass();
        boolean says = isOwn(kind.getMethod("toString").getDeclaringClass());
        return says && !(isRecord(kind) && value.toString().startsWith(kind.getSimpleName() + "["));
    }

    private static boolean isRecord(Class<?> kind) {
        Class<?> parent = kind.getSuperclass();
        return parent != null && parent.getName().equals("java.lang.Record");
    }

    private void other(Object value, int depth) throws Throwable {
        Class<?> kind = value.getClass();
        if (isRecord(kind)) {
            record(value, kind, depth);
        } else if (kind.getMethod("toString").getDeclaringClass() == Object.class) {
            object("an object of " + kind.getSimpleName() + " without toString");
        } else {
            text(value.toString());
        }
    }

    private void record(Object value, Class<?> kind, int depth) throws Throwable {
        json.append("{\"instance\":[");
        text(kind.getSimpleName());
        json.append(",[");
        String comma = "";
        for (Field field : kind.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                Method part = kind.getDeclaredMethod(field.getName());
                part.setAccessible(true);
                json.append(comma).append('[');
                text(field.getName());
                json.append(',');
                write(part.invoke(value), depth);
                json.append(']');
                comma = ",";
            }
        }
        json.append("]]}");
    }

    private void array(Object value, int depth) throws Throwable {
        json.append('[');
        for (int index = 0; index < Array.getLength(value); index++) {
            json.append(index > 0 ? "," : "");
            write(Array.get(value, index), depth);
        }
        json.append(']');
    }

    private void list(Iterable<?> value, int depth) throws Throwable {
        json.append('[');
        String comma = "";
        for (Object item : value) {
            json.append(comma);
            write(item, depth);
            comma = ",";
            if (json.length() - start > LARGEST_VALUE) {
                break;
            }
        }
        json.append(']');
    }

    private void map(Map<?, ?> value, int depth) throws Throwable {
        json.append("{\"dict\":[");
        String comma = "";
        for (Map.Entry<?, ?> entry : value.entrySet()) {
            json.append(comma).append('[');
            write(entry.getKey(), depth);
            json.append(',');
            write(entry.getValue(), depth);
            json.append(']');
            comma = ",";
        }
        json.append("]}");
    }

    private void real(double value, String words) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            json.append("{\"number\":\"").append(Double.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf").append("\"}");
        } else {
            json.append(words);
        }
    }

    private void object(String kind) {
        json.append("{\"object\":");
        text(kind);
        json.append('}');
    }

    private void text(String value) {
        json.append('"');
        for (int index = 0; index < value.length() && json.length() - start <= LARGEST_VALUE; index++) {
            char one = value.charAt(index);
            if (one == '"' || one == '\\') {
                json.append('\\').append(one);
            } else if (one < ' ' || one > '~') {
                json.append(String.format("\\u%04x", (int) one));
            } else {
                json.append(one);
            }
        }
        json.append('"');
    }
}
