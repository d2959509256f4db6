// Returns what is shown with less contrast than WCAG 2 AA allows: 4.5, for large text 3.
() => {
  const channels = (colour) => {
    const numbers = colour.match(/[\d.]+/g).map(Number);
    return colour.startsWith("color(") ? [...numbers.slice(0, 3).map((one) => one * 255), numbers[3] ?? 1]
      : [...numbers.slice(0, 3), numbers[3] ?? 1];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const background = (element) => {
    const layers = [];
    for (let one = element; one; one = one.parentElement) {
      layers.push(channels(getComputedStyle(one).backgroundColor));
      if (layers.at(-1)[3] === 1) break;
    }
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
  };
  const light = (colour) => {
    const linear = (one) => one <= .04045 ? one / 12.92 : ((one + .055) / 1.055) ** 2.4;
    const [r, g, b] = colour.map((one) => linear(one / 255));
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const contrast = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + .05) / (low + .05);
  };
  const faint = [];
  let looked = 0;
  for (const element of document.body.querySelectorAll("*")) {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    for (const part of [null, "::before", "::after"]) {
      const style = getComputedStyle(element, part);
      if (part ? ["none", "normal", '""'].includes(style.content) : !own && element.tagName !== "INPUT") continue;
      const behind = background(element);
      const ink = element instanceof SVGElement ? style.fill : style.color;
      const size = Number.parseFloat(style.fontSize);
      const least = size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5;
      const found = contrast(over(channels(ink), behind), behind);
      looked += 1;
      if (found < least) faint.push(`${found.toFixed(2)} ${element.outerHTML.slice(0, 120)} ${part ?? ""}`);
    }
  }
  return looked < 20 ? ["too little text was found"] : faint;
}
