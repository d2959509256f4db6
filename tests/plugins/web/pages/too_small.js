// Returns what is too small for a finger by WCAG 2.2 AA (2.5.8): under 24 pixels, and nearer than that to its neighbours.
() => {
  const inText = (one) => one.tagName === "A" && one.closest("p:not(.neighbours), h3, .what");
  const targets = [...document.querySelectorAll("a[href], button, input, select, summary")]
    .filter((one) => one.checkVisibility() && !one.matches(".skip") && !inText(one))
    .map((one) => ({ one, box: one.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 0);
  const small = ({ box }) => box.width < 24 || box.height < 24;
  const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
  const gap = (x, y, box) => Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
  const near = (first, second) => {
    const [x, y] = middle(first.box);
    if (small(second)) return Math.hypot(x - middle(second.box)[0], y - middle(second.box)[1]) < 24;
    return gap(x, y, second.box) < 12;
  };
  return targets.filter((first) => small(first) && targets.some((second) => second !== first && near(first, second)))
    .map(({ one, box }) => `${Math.round(box.width)} x ${Math.round(box.height)} ${one.outerHTML.slice(0, 120)}`);
}
