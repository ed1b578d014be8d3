/* Pictures: a table of each game in a few strokes, for the cards of the lobby. */
function stroke(name, facts, words) {
  const found = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [fact, value] of Object.entries(facts)) found.setAttribute(fact, value);
  if (words) found.textContent = words;
  return found;
}

function paper(x, y, width, height, fill, className = "paper") {
  return stroke("rect", { x, y, width, height, rx: 4, class: className, ...(fill ? { fill } : {}) });
}

function sign(x, y, words, size = 18, className = "ink") {
  return stroke("text", { x, y, "font-size": size, "text-anchor": "middle", class: className }, `${words}\ufe0e`);
}

function coin(x, y) {
  return stroke("circle", { cx: x, cy: y, r: 4, fill: "#d9a21b" });
}

const GAME_PICTURES = {
  coup: () => [paper(14, 8, 30, 42, "#74398f"), sign(29, 36, "♛", 20, "light"), paper(48, 8, 30, 42, "#a8263a"), sign(63, 36, "♥", 20, "light"),
    paper(92, 8, 30, 42, "#465573"), paper(126, 8, 30, 42, "#465573"), coin(16, 56), coin(26, 56), coin(36, 56), coin(96, 56)],
  oriflamme: () => [["⚔", "#0a6579"], ["?", "#932697"], ["♜", "#725500"], ["?", "#1c6b2f"]].flatMap(([what, colour], place) =>
    [paper(12 + 36 * place, 10, 30, 42, "", "paper"), paper(12 + 36 * place, 10, 30, 6, colour), sign(27 + 36 * place, 40, what, 18)]),
  cat_in_the_box: () => ["#b3261e", "#2a55c9", "#8a6700", "#1c6b2f"].flatMap((colour, row) => [0, 1, 2, 3, 4, 5, 6, 7].map((column) =>
    stroke("rect", { x: 12 + 17 * column, y: 6 + 13 * row, width: 15, height: 11, rx: 2, fill: colour, opacity: (row * 3 + column * 5) % 7 < 2 ? 1 : .3 }))),
  dixiquote: () => [sign(26, 44, "“", 52), ...[0, 1, 2].flatMap((place) => [paper(48 + 36 * place, 10, 32, 42), ...[20, 27, 34].map((y, line) =>
    stroke("rect", { x: 53 + 36 * place, y, width: line === 2 ? 13 : 22, height: 2.5, class: "text" }))]), sign(136, 50, "✓", 12)],
};

/** The picture of a game, null for one without. */
function gamePicture(name) {
  if (!Object.hasOwn(GAME_PICTURES, name)) return null;
  const picture = stroke("svg", { viewBox: "0 0 168 62", class: "picture", "aria-hidden": "true" });
  picture.append(...GAME_PICTURES[name]());
  return picture;
}
