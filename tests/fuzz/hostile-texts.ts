/** Typed where any text goes. Each is recognisable if a page repeats it unescaped. */
export const HOSTILE_TEXTS: readonly string[] = [
  '<zq7>',
  '"\'><zq7 onload=zq7>',
  'z"zq7=\'x',
  '</script><zq7>',
  '<!--<script><zq7>',
  'javascript:zq7()',
  '{{zq7}}',
  '=zq7(A1)',
  'a\r\nset-cookie: zq7=1',
  '\u2028',
  'a\0b',
  '\u202Eabc',
  '🏡👩‍👩‍👧',
  "' or 1=1--",
  '%00%zz',
  '../../etc/passwd',
  '//attacker.example/',
  'https://attacker.example/',
  '__proto__',
  'constructor',
  '00000000-0000-0000-0000-000000000000',
  '9'.repeat(40),
  '1e400',
  '2026-02-30T25:61:00Z',
  'x'.repeat(3000),
  ' ',
  '',
]

/** How a page would repeat one of them if it did not escape it: as an element, out of an attribute, or as the address of a link. */
export const UNESCAPED = /<zq7|z"zq7=|(?:href|src|action|formaction)\s*=\s*["']?\s*javascript:zq7/i
