/** Whether one word is the other with one slip of the finger in it. Another letter in a short word is mostly another word. */
export function isSlip(a: string, b: string): boolean {
  if (a === b || a[0] !== b[0] || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  const shorter = Math.min(a.length, b.length);
  if (isExchange(restA, restB)) return shorter >= 4;
  if (restA.slice(1) === restB || restA === restB.slice(1)) return shorter >= 5;
  return restA.slice(1) === restB.slice(1) && shorter >= 7;
}

const isExchange = (a: string, b: string): boolean =>
  a.length === b.length && a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
