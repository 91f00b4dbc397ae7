import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { listReferences, NotXPathError, parseXPath, UnjudgedError, type XPath } from './xpath.ts'

/** A line of an XLSForm, read without the importer. */
export interface FormLine {
  /** Its number in the sheet, which stands in the place of its label. */
  number: number
  type: string
  list: string
  name: string
  relevant: string
  calculation: string
  /** Names of the groups around it, and its own. */
  path: string[]
  /** The groups and repeats around it, outermost first. */
  around: FormLine[]
  isRepeat: boolean
  /** How often it repeats: a number, or what gives it. */
  repeatCount: string
  orOther: boolean
}

export interface SourceForm {
  lines: FormLine[]
  /** Values of choices by their numbers, which stand in the place of their labels. */
  choices: Map<number, string>
  /** Numbers of the choices of each list. */
  lists: Map<string, number[]>
  /** The form with numbers in the place of labels, so that what became of each line can be found. */
  numbered: Uint8Array
}

type Row = Record<string, string>

const HEADINGS: Record<string, string> = { relevance: 'relevant', command: 'type', value: 'name', 'list name': 'list_name' }

async function readRows(file: Uint8Array): Promise<Map<string, Row[]>> {
  const workbook = await readXlsx(file)
  return new Map(
    workbook.sheets.map(({ name, rows }) => {
      const [heads = [], ...lines] = rows
      const names = heads.map((head) => {
        const text = String(head ?? '').trim()
        const plain = text.toLowerCase().replaceAll(' ', '_')
        return text.includes(':') ? text : (HEADINGS[plain] ?? plain)
      })
      const read = lines.map((line): Row =>
        Object.fromEntries(names.flatMap((head, index) => (head && line[index] != null ? [[head, String(line[index]).trim()]] : []))),
      )
      return [name.trim().toLowerCase(), read] as const
    }),
  )
}

const isWording = (head: string): boolean => /^(?:label|hint|caption|media|image|audio|video|guidance_hint)(?:$|\s*:)/i.test(head)

const PICK = /^(select[ _]one|select[ _]multiple|rank|select1|select all that apply)(?: from| prompt using| using)?[ _]+(\S+)/i

/** @returns undefined if it is no XLSForm */
export async function readForm(file: Uint8Array): Promise<SourceForm | undefined> {
  const sheets = await readRows(file)
  const survey = sheets.get('survey')
  if (!survey?.some((row) => row['type'] && row['name'])) return undefined
  const choiceRows = sheets.get('choices') ?? []
  const lines = readLines(survey)
  const number = (rows: readonly Row[]): Row[] =>
    rows.map((row, index) => ({
      ...Object.fromEntries(Object.entries(row).filter(([head]) => !isWording(head))),
      label: `line ${index}`,
    }))
  const settings = (sheets.get('settings') ?? []).map(({ default_language: _language, ...row }) => row)
  const named: [string, Row[]][] = [
    ['survey', number(survey)],
    ['choices', number(choiceRows)],
    ['settings', settings],
  ]
  const toSheet = ([name, rows]: [string, Row[]]) => {
    const heads = [...new Set(rows.flatMap((row) => Object.keys(row)))]
    return { name, rows: [heads, ...rows.map((row) => heads.map((head) => row[head] ?? ''))] }
  }
  const numbered = await writeXlsx({ sheets: named.filter(([, rows]) => rows.length > 0).map(toSheet) })
  const lists = Map.groupBy(choiceRows.keys(), (index) => choiceRows[index]?.['list_name'] ?? choiceRows[index]?.['list'] ?? '')
  return { lines, choices: new Map(choiceRows.map((row, index) => [index, row['name'] ?? ''])), lists, numbered }
}

function readLines(rows: readonly Row[]): FormLine[] {
  const lines: FormLine[] = []
  const open: FormLine[] = []
  for (const [number, row] of rows.entries()) {
    const type = (row['type'] ?? '').replace(/\s+/g, ' ').trim()
    if (!type) continue
    if (/^end[ _](group|repeat|loop)/i.test(type)) {
      open.pop()
      continue
    }
    const begun = /^begin[ _](group|repeat|loop)/i.exec(type)
    const pick = PICK.exec(type)
    const name = row['name'] ?? ''
    const line: FormLine = {
      number,
      type: begun ? 'group' : pick ? nameSelect(type) : type.toLowerCase(),
      list: pick?.[2] ?? '',
      name,
      relevant: row['relevant'] ?? row['bind::relevant'] ?? '',
      calculation: row['calculation'] ?? row['bind::calculate'] ?? '',
      path: [...open.map((each) => each.name), name],
      around: [...open],
      isRepeat: begun?.[1]?.toLowerCase() === 'repeat',
      repeatCount: row['repeat_count'] ?? row['count'] ?? '',
      orOther: /or[ _](other|specify[ _]other)$/i.test(type),
    }
    lines.push(line)
    if (begun) open.push(line)
  }
  return lines
}

function nameSelect(type: string): string {
  if (/^(select[ _]one|select1)/i.test(type)) return 'select_one'
  return /^rank/i.test(type) ? 'rank' : 'select_multiple'
}

/** The words of pyxform for a constant. @throws {NotXPathError} */
export function parseRelevant(text: string): XPath {
  if (/^(yes|true|true\(\))$/i.test(text)) return { kind: 'call', name: 'true', args: [] }
  if (/^(no|false|false\(\))$/i.test(text)) return { kind: 'call', name: 'false', args: [] }
  return parseXPath(text)
}

/** The line that a name or a path means where it stands. @throws {UnjudgedError} if there is none, or more than one */
export function findLine(lines: readonly FormLine[], from: FormLine, reference: { kind: 'named' | 'path'; name: string }): FormLine {
  const { kind, name } = reference
  if (kind === 'path' && name === '.') return from
  const meant =
    kind === 'named'
      ? name.includes('/')
        ? undefined
        : lines.filter((line) => line.name === name)
      : lines.filter((line) => line.path.join('/') === resolve(from, name))
  if (meant?.length !== 1 || !meant[0]) throw new UnjudgedError(`outside: ${name}`)
  return meant[0]
}

function resolve(from: FormLine, path: string): string {
  const parts = path.split('/')
  if (parts[0] === '') return parts.slice(2).join('/')
  if (parts[0] !== '.' && parts[0] !== '..') return `?${path}`
  const at = [...from.path]
  for (const part of parts) {
    if (part === '..') at.pop()
    else if (part !== '.' && part !== '') at.push(part)
  }
  return at.join('/')
}

/** The lines that an expression depends on, also by calculations and by the conditions of what is calculated. */
export function listDependencies(
  lines: readonly FormLine[],
  from: FormLine,
  expression: XPath,
  found = new Set<FormLine>(),
): Set<FormLine> {
  for (const reference of listReferences(expression)) {
    const line = findLine(lines, from, reference)
    if (found.has(line)) continue
    found.add(line)
    for (const each of [line, ...line.around])
      if (each.type === 'calculate' || each !== line) {
        if (each.relevant) listDependencies(lines, each, parseRelevant(each.relevant), found)
      }
    if (line.type === 'calculate' && line.calculation) listDependencies(lines, line, parseXPath(line.calculation), found)
  }
  return found
}

export { NotXPathError }
