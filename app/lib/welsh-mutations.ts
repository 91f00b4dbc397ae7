/** Longer beginnings first: `rh` is one letter, and `ch`, `dd`, `ff`, `ng`, `ph` and `th` never mutate. */
const MUTATIONS: readonly [start: string, forms: readonly string[]][] = [
  ['ch', []],
  ['dd', []],
  ['ff', []],
  ['ng', []],
  ['ph', []],
  ['th', []],
  ['ll', ['l']],
  ['rh', ['r']],
  ['p', ['b', 'mh', 'ph']],
  ['t', ['d', 'nh', 'th']],
  ['c', ['g', 'ngh', 'ch']],
  ['b', ['f', 'm']],
  ['d', ['dd', 'n']],
  ['g', ['', 'ng']],
  ['m', ['f']],
  ['a', ['ha']],
  ['e', ['he']],
  ['i', ['hi']],
  ['o', ['ho']],
  ['u', ['hu']],
  ['w', ['hw']],
  ['y', ['hy']],
]

/** The soft, nasal and aspirate mutations of a folded word, and `h` before a vowel. */
export function mutateWelsh(word: string): string[] {
  const found = MUTATIONS.find(([start]) => word.startsWith(start))
  if (!found) return []
  const [start, forms] = found
  const rest = word.slice(start.length)
  return forms.map((form) => form + rest)
}

/** Folded everyday words. A mutated form that is one of them is not looked for: `ast` is no mutation of `gast` to most readers. */
export const EVERYDAY_WELSH: ReadonlySet<string> = new Set(
  (
    'ast bach bawb ben beth bob bod bore both braf bron bryd bydd byw cael cant cawn chael chi chwech ddau ddim ddod ddoe ddyn dan dau ddim ' +
    'deg dim din dod dro drwy dweud dydd dyma dyn dyna ein eich eto eu fach faes fan fawr fel felly fod foch fron fy fydd fyw gan gant geir ger gan ' +
    'glan goed gol gor gwaith hafal haf hen heb hefyd hi hir hon hwn hyd hyn iaith iawn lan law le lle lled llawn llun mae mai mam man mawr ' +
    'mewn mis moch mor mwy nad nain nain nawr neb neu nes nhad nid nos oed oedd oes ond os pan pawb pen pob pwy rhai rhan rhyw rhwng saith ' +
    'sut sydd tad tai tan tir tra tri tro trwy tua uchel un unrhyw wain waith wedi weld wen wrth wyn wyth yma yn yna yno yw'
  ).split(' '),
)
