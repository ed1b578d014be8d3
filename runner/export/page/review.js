function measure(what, share, [words, effect], className) {
  const part = made("p", undefined, "measure"), bar = made("i", undefined, `bar ${className}`), text = made("span", words);
  bar.style.setProperty("--share", share);
  if (effect) text.append(made("i", `: ${effect}`));
  part.append(made("span", what), bar, made("span", percent(share)), text);
  return part;
}

function drawGrade() {
  const found = review().grades[state.step];
  at("grade").hidden = !found;
  if (!found) return at("grade").replaceChildren();
  const title = made("h3", null, found.grade), lost = found.sign ? `: gave up ${found.loss} of the win` : "";
  title.append(made("span", `${found.sign || (found.grade === "unsure" ? "~" : "✓")} ${found.grade}`), lost);
  const known = made("p", `${found.known} · shares of the win from what `, "quiet");
  known.append(seatName(found.seat), " knew");
  const parts = [title, known, measure("played", found.share, found.played, found.grade)];
  if (found.grade !== "best") parts.push(measure("better", found.best, found.better, "best"));
  if (found.sign && choicesOf(state.step).length > 1) parts.push(button("Retry the mistake", () => retry(state.step), "retry"));
  at("grade").replaceChildren(...parts);
}

function table(name, titles, rows) {
  const found = made("table", null, name), head = made("tr"), top = made("thead"), body = made("tbody");
  head.append(...titles.map((title) => { const cell = made("th", title); cell.scope = "col"; return cell; }));
  top.append(head);
  body.append(...rows.map((cells) => {
    const line = made("tr");
    line.append(...cells.map((part, place) => {
      const cell = made("td");
      cell.dataset.name = titles[place];
      cell.append(part);
      return cell;
    }));
    return line;
  }));
  found.append(top, body);
  return found;
}

function jump(number) {
  const found = button(number, () => { go(Number(number)); window.scrollTo(0, 0); });
  found.setAttribute("aria-label", `Decision ${number}`);
  return found;
}

function drawBest() {
  const found = data.best[state.eye];
  at("best").hidden = found.length === 0 || state.blind;
  if (at("best").hidden) return at("best").replaceChildren();
  const list = made("ol");
  list.append(...found.map(([step, number]) => {
    const item = made("li"), words = made("span");
    words.append(...line(number));
    item.append(jump(step), words);
    return item;
  }));
  at("best").replaceChildren(made("h2", "Highlights"), list);
}

function drawWorst() {
  const { grades, seats, playouts } = review();
  at("worst").hidden = seats.length === 0 || state.blind;
  if (at("worst").hidden) return at("worst").replaceChildren();
  const marked = Object.entries(grades).filter(([, found]) => found.sign).sort(([, one], [, other]) => other.lost - one.lost);
  const parts = [made("h2", "Worst decisions")];
  if (!marked.length) parts.push(made("p", "No decision gave up 5 % of the win or more."));
  else parts.push(table("faults", ["decision", "seat", "mark", "known", "played", "better", "given up"], marked.slice(0, 12).map(([number, found]) => [
    jump(number), seatName(found.seat), made("b", found.sign, found.grade), found.known,
    `${found.played[0]} (${percent(found.share)})`, `${found.better[0]} (${percent(found.best)})`, found.loss,
  ])));
  const titles = ["seat", "graded", "given up a decision", "95 %", "??", "?", "?!"];
  parts.push(made("h2", "Seats"), table("sums", titles, seats.map(({ seat, facts }) => [seatName(seat), ...facts.map(String)])));
  parts.push(made("p", `Shares of the win are means over playouts by bots, ${playouts} a decision, in worlds drawn from what the seat knew. ± is one standard error.`, "quiet"));
  at("worst").replaceChildren(...parts);
}
