import type { TrackedRecord } from './tracked-record.ts'

/** A line's type, such as `select_one towns or_other`, in its parts. */
export interface LineType {
  type: string
  list: string
  orOther: boolean
}

/** A line, with the lines inside it if it is a group or a repeat. */
export interface XlsFormNode {
  line: TrackedRecord
  children?: XlsFormNode[]
}

const ALIASES: readonly (readonly [RegExp, string])[] = [
  [/^(begin|end)[ _](group|repeat|loop|lgroup|looped_group)\b/i, '$1 $2'],
  [/^(?:add )?select[ _]one(?: prompt using| using| from)?[ _]+(?=\S)/i, 'select_one '],
  [/^(?:add )?select[ _](?:multiple|all that apply)(?: prompt using| using| from)?[ _]+(?=\S)/i, 'select_multiple '],
  [/^select1 /i, 'select_one '],
  [/^(?:add )?(?:string|text)(?: prompt)?$/i, 'text'],
  [/^(?:add )?(?:int|integer)(?: prompt)?$/i, 'integer'],
  [/^(?:add )?(decimal|date|time|note|image|photo|file)(?: prompt)?$/i, '$1'],
  [/^(?:gps|location|q location|geopoint)$/i, 'geopoint'],
  [/^phone number$/i, 'tel'],
  [/^photo$/i, 'image'],
  [/^(?:datetime|date ?time)$/i, 'datetime'],
]

export function readLineType(text: string): LineType {
  const plain = ALIASES.reduce((type, [from, to]) => type.replace(from, to), text.trim().replace(/\s+/g, ' '))
  const orOther = /\bor[ _](other|specify[ _]other)$/i.test(plain)
  const [type = '', list = ''] = plain.replace(/ or[ _](other|specify[ _]other)$/i, '').split(' ')
  return {
    type: type.toLowerCase(),
    list: type.toLowerCase() === 'begin' || type.toLowerCase() === 'end' ? list.toLowerCase() : list,
    orOther,
  }
}

/** Lines by the groups they are in; a group that never ends takes the rest. */
export function buildTree(lines: readonly TrackedRecord[]): XlsFormNode[] {
  const root: XlsFormNode[] = []
  const open: XlsFormNode[][] = [root]
  for (const line of lines) {
    const { type } = readLineType(line.text('type'))
    if (!type) continue
    if (type === 'end') {
      if (open.length > 1) open.pop()
    } else {
      const node: XlsFormNode = type === 'begin' ? { line, children: [] } : { line }
      open.at(-1)?.push(node)
      if (node.children) open.push(node.children)
    }
  }
  return root
}

/**
 * What a path means that stands in a line: from `../age` or `/form/person/age` to the name under which the whole form knows the line. Other
 * names stay what they are.
 * @param here names of the groups around the line, and its own
 */
export function resolvePath(name: string, here: readonly string[]): string {
  if (name === '.') return `${ROOT}${here.join('/')}`
  const parts = name.replace(/^current\(\)\//, '').split('/')
  if (parts.length < 2 || name.startsWith(ROOT)) return name
  const steps = parts[0] === '' ? parts.slice(2) : [...here, ...parts]
  const path = steps.reduce<string[]>(
    (so, step) => (step === '..' ? so.slice(0, -1) : step === '.' || step === '' ? so : [...so, step]),
    [],
  )
  return `${ROOT}${path.join('/')}`
}

const ROOT = 'form:'
