// A walk through a cave that is drawn anew after each key, with codes for the terminal and no library.
use std::io::{self, Read, Write};

extern "C" {
    fn tcgetattr(fd: i32, mode: *mut [u8; 256]) -> i32;
    fn tcsetattr(fd: i32, when: i32, mode: *const [u8; 256]) -> i32;
    fn cfmakeraw(mode: *mut [u8; 256]);
}

const ROWS: usize = 22;
const COLUMNS: usize = 78;

fn main() {
    let mut seed: u32 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1);
    let mut chance = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 16) as usize
    };
    let mut cave: Vec<Vec<char>> =
        (0..ROWS).map(|_| (0..COLUMNS).map(|_| if chance() % 4 == 0 { '#' } else { '.' }).collect()).collect();
    let (mut row, mut column, mut steps) = (ROWS / 2, COLUMNS / 2, 0);
    let mut usual = [0u8; 256];
    unsafe { tcgetattr(0, &mut usual) };
    let mut raw = usual;
    unsafe { cfmakeraw(&mut raw) };
    unsafe { tcsetattr(0, 0, &raw) };
    let mut keys = io::stdin().bytes();
    loop {
        let mut picture = String::from("\x1b[2J\x1b[H");
        picture += &format!("\x1b[7mSteps: {steps}\x1b[0m");
        for (number, line) in cave.iter().enumerate() {
            picture += &format!("\x1b[{};2H{}", number + 2, line.iter().collect::<String>());
        }
        picture += &format!("\x1b[{};{}H\x1b[1;32m@\x1b[0m\x08", row + 2, column + 2);
        io::stdout().write_all(picture.as_bytes()).unwrap();
        io::stdout().flush().unwrap();
        let Some(Ok(key)) = keys.next() else { break };
        steps += 1;
        match key {
            b'q' => break,
            b'A' => row = (row + ROWS - 1) % ROWS,
            b'B' => row = (row + 1) % ROWS,
            b'C' => column = (column + 1) % COLUMNS,
            b'D' => column = (column + COLUMNS - 1) % COLUMNS,
            _ => cave[row][(column + key as usize) % COLUMNS] = char::from(33 + (chance() % 90) as u8),
        }
    }
    print!("\x1b[2J\x1b[H");
    unsafe { tcsetattr(0, 0, &usual) };
}
