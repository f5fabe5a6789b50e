/** Three letters for a name, as on timing screens: "Ada Lovelace" LOV, "Bot 7" B07, "x" X. */
export function codeOf(name: string): string {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '');
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const all = words.join('');
  if (all === '') return '???';
  const number = /([0-9]+)$/.exec(all)?.[1];
  const letters = all.replace(/[0-9]+$/, '');
  if (number !== undefined && letters !== '') {
    const tail = number.slice(-2).padStart(2, '0');
    if (number.length > 2) return number.slice(-3);
    return ([...letters][0]! + tail).toUpperCase();
  }
  const last = [...words[words.length - 1]!];
  const source = last.length >= 3 ? last : [...all];
  return source.slice(0, 3).join('').toUpperCase();
}
