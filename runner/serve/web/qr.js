/* QR codes (ISO/IEC 18004): bytes, error correction M, versions 1 to 10, which hold addresses of up to 213 bytes. */
const QR = { // by version: codewords in all, error correction codewords a block, blocks
  total: [0, 26, 44, 70, 100, 134, 172, 196, 242, 292, 346],
  check: [0, 10, 16, 26, 18, 24, 16, 18, 22, 22, 26],
  blocks: [0, 1, 1, 1, 2, 2, 4, 4, 4, 5, 5],
  centres: [[], [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]],
};
const MASKS = [(x, y) => (x + y) % 2, (x, y) => y % 2, (x) => x % 3, (x, y) => (x + y) % 3, (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
  (x, y) => x * y % 2 + x * y % 3, (x, y) => (x * y % 2 + x * y % 3) % 2, (x, y) => ((x + y) % 2 + x * y % 3) % 2];

/** The modules of the code of a text, row by row, true for dark ones; null for a text that is too long. */
function qr(text) {
  const bytes = [...new TextEncoder().encode(text)];
  const version = QR.total.findIndex((total, of) => of && bytes.length + (of < 10 ? 2 : 3) <= total - QR.check[of] * QR.blocks[of]);
  if (version < 0) return null;
  const plain = framed(version), bits = interleaved(version, words(version, bytes));
  const codes = MASKS.map((mask, number) => filled(plain, bits, mask, number));
  return codes.reduce((best, code) => penalty(code) < penalty(best) ? code : best);

  function words(of, content) {
    const size = of < 10 ? 8 : 16, room = QR.total[of] - QR.check[of] * QR.blocks[of];
    const head = `0100${content.length.toString(2).padStart(size, "0")}${content.map((byte) => byte.toString(2).padStart(8, "0")).join("")}`;
    const whole = head + "0".repeat(Math.min(4, room * 8 - head.length)), padded = whole.padEnd(Math.ceil(whole.length / 8) * 8, "0");
    const found = padded.match(/.{8}/g).map((byte) => parseInt(byte, 2));
    for (let pad = 0; found.length < room; pad += 1) found.push(pad % 2 ? 17 : 236);
    return found;
  }
}

function product(one, other) {
  let found = 0;
  for (let bit = 7; bit >= 0; bit -= 1) found = (found << 1) ^ (found >> 7) * 285 ^ (other >> bit & 1) * one;
  return found;
}

/** The error correction codewords of a block (Reed-Solomon over GF(256)). */
function checked(block, count) {
  let generator = [1], root = 1;
  for (let degree = 0; degree < count; degree += 1) {
    generator = [...generator, 0].map((of, place) => of ^ (place ? product(generator[place - 1], root) : 0));
    root = product(root, 2);
  }
  const rest = [...block, ...Array(count).fill(0)];
  for (let place = 0; place < block.length; place += 1) {
    const factor = rest[place];
    generator.forEach((of, more) => { rest[place + more] ^= product(of, factor); });
  }
  return rest.slice(block.length);
}

function interleaved(version, words) {
  const { [version]: count } = QR.blocks, { [version]: check } = QR.check, short = Math.floor(words.length / count), blocks = [];
  let from = 0;
  for (let block = 0; block < count; block += 1) {
    const size = short + (block >= count - words.length % count ? 1 : 0);
    blocks.push(words.slice(from, from += size));
  }
  const across = (lists) => Array.from({ length: Math.max(...lists.map((list) => list.length)) }, (_, place) =>
    lists.map((list) => list[place])).flat().filter((word) => word !== undefined);
  return [...across(blocks), ...across(blocks.map((block) => checked(block, check)))].flatMap((word) => [...word.toString(2).padStart(8, "0")].map(Number));
}

/** The fixed patterns of a version: true or false, null where data goes. */
function framed(version) {
  const size = 17 + 4 * version, code = Array.from({ length: size }, () => Array(size).fill(null)), last = size - 7;
  const put = (x, y, isDark) => { if (x >= 0 && y >= 0 && x < size && y < size) code[y][x] = isDark; };
  for (const [left, top] of [[0, 0], [last, 0], [0, last]]) {
    for (let y = -1; y < 8; y += 1) for (let x = -1; x < 8; x += 1) {
      const ring = Math.max(Math.abs(x - 3), Math.abs(y - 3));
      put(left + x, top + y, ring !== 2 && ring < 4);
    }
  }
  const centres = QR.centres[version], end = centres.at(-1);
  for (const y of centres) for (const x of centres) {
    if ((x === 6 && y === 6) || (x === 6 && y === end) || (x === end && y === 6)) continue;
    for (let down = -2; down < 3; down += 1) for (let right = -2; right < 3; right += 1) put(x + right, y + down, Math.max(Math.abs(right), Math.abs(down)) !== 1);
  }
  for (let place = 8; place < size - 8; place += 1) {
    put(place, 6, place % 2 === 0);
    put(6, place, place % 2 === 0);
  }
  formats(size, 0).forEach(([x, y]) => put(x, y, false));
  put(8, size - 8, true);
  if (version > 6) {
    const bits = version << 12 | remainder(version, 12, 0x1f25);
    for (let bit = 0; bit < 18; bit += 1) {
      const far = size - 11 + bit % 3, near = Math.floor(bit / 3);
      put(far, near, Boolean(bits >> bit & 1));
      put(near, far, Boolean(bits >> bit & 1));
    }
  }
  return code;
}

function remainder(value, degree, divisor) {
  let found = value << degree;
  for (let bit = 31 - Math.clz32(found); found && bit >= degree; bit = 31 - Math.clz32(found)) found ^= divisor << (bit - degree);
  return found;
}

/** Where the bits of the format go, both times, and whether each is dark. */
function formats(size, mask) {
  const bits = (mask << 10 | remainder(mask, 10, 0x537)) ^ 0x5412, found = [];
  for (let bit = 0; bit < 15; bit += 1) {
    const isDark = Boolean(bits >> bit & 1);
    found.push(bit < 6 ? [8, bit, isDark] : bit < 8 ? [8, bit + 1, isDark] : bit === 8 ? [7, 8, isDark] : [14 - bit, 8, isDark]);
    found.push(bit < 8 ? [size - 1 - bit, 8, isDark] : [8, size - 15 + bit, isDark]);
  }
  return found;
}

function filled(plain, bits, mask, number) {
  const size = plain.length, code = plain.map((row) => [...row]);
  let next = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    const isUp = (right + 1 & 2) === 0;
    for (let step = 0; step < size; step += 1) for (const x of [right, right - 1]) {
      const y = isUp ? size - 1 - step : step;
      if (plain[y][x] === null) code[y][x] = Boolean((bits[next++] || 0) ^ (mask(x, y) === 0));
    }
  }
  formats(size, number).forEach(([x, y, isDark]) => { code[y][x] = isDark; });
  return code;
}

/** How hard a code is to read: runs, squares, patterns like a corner, and an uneven share of dark modules. */
function penalty(code) {
  const size = code.length, rows = code.map((row) => row.map(Number).join("")), columns = rows.map((_, x) => code.map((row) => Number(row[x])).join(""));
  let found = 0, dark = 0;
  for (const line of [...rows, ...columns]) {
    for (const run of line.match(/0{5,}|1{5,}/g) || []) found += run.length - 2;
    for (const corner of ["00001011101", "10111010000"]) for (let at = line.indexOf(corner); at >= 0; at = line.indexOf(corner, at + 1)) found += 40;
  }
  for (let y = 0; y < size; y += 1) for (let x = 0; x < size; x += 1) {
    dark += code[y][x];
    if (x + 1 < size && y + 1 < size && code[y][x] === code[y][x + 1] && code[y][x] === code[y + 1][x] && code[y][x] === code[y + 1][x + 1]) found += 3;
  }
  return found + 10 * Math.floor(Math.abs(dark * 20 - size * size * 10) / (size * size));
}

/** The code of a text as a picture, with the four light modules around it that readers need; null where it is too long. */
function codePicture(text, label) {
  const code = qr(text);
  if (!code) return null;
  const size = code.length + 8, dark = code.flatMap((row, y) => row.map((isDark, x) => isDark ? `M${x + 4} ${y + 4}h1v1h-1z` : "")).join("");
  const picture = stroke("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label, class: "code", "shape-rendering": "crispEdges" });
  picture.append(stroke("rect", { width: size, height: size, fill: "#fff" }), stroke("path", { d: dark, fill: "#000" }));
  return picture;
}
