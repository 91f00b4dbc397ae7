import { SaxesParser } from 'saxes'

export type Row = Record<string, string>

/** The tables of a structure archive of LimeSurvey (.lss, .lsg, .lsq), read without the importer. */
export type Archive = Map<string, Row[]>

/** @returns undefined if it is no structure archive */
export function readArchive(document: string): Archive | undefined {
  if (!/<LimeSurveyDocType>\s*(?:Survey|Group|Question)/.test(document.slice(0, 4000))) return undefined
  const archive: Archive = new Map()
  const path: string[] = []
  let row: Row = {}
  let text = ''
  const parser = new SaxesParser({ position: false })
  parser.on('opentag', ({ name }) => {
    path.push(name)
    text = ''
    if (path.length === 4 && name === 'row') row = {}
  })
  const addText = (more: string) => {
    text += more
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', ({ name }) => {
    const [, table = '', rows] = path
    if (rows === 'rows' && path.length === 5) row[name] = text
    if (rows === 'rows' && path.length === 4) archive.set(table, [...(archive.get(table) ?? []), row])
    path.pop()
    text = ''
  })
  // LimeSurvey writes control characters that people paste, which XML forbids.
  const isAllowed = (letter: string) => letter >= ' ' || '\t\n\r\0'.includes(letter)
  parser.write(Array.from(document).filter(isAllowed).join('')).close()
  return archive
}

export function writeArchive(archive: Archive): Uint8Array {
  const tables = Array.from(archive, ([name, rows]) => `<${name}><rows>${rows.map(writeRow).join('')}</rows></${name}>`)
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><document><LimeSurveyDocType>Survey</LimeSurveyDocType>${tables.join('')}</document>`,
  )
}

const writeRow = (row: Row) =>
  `<row>${Object.entries(row)
    .map(([name, value]) => `<${name}><![CDATA[${value.replaceAll(']]>', ']] >')}]]></${name}>`)
    .join('')}</row>`

/** The language of a group or a question by itself. */
export const readFirstLanguage = (archive: Archive): string =>
  ['questions', 'question_l10ns'].map((table) => archive.get(table)?.[0]?.['language']).find(Boolean) ?? 'en'

/** Marks stand in the place of what participants read, in all languages. */
export function markArchive(archive: Archive): Uint8Array {
  const marked: Archive = new Map(archive)
  const replace = (table: string, fields: (row: Row) => Row) =>
    marked.set(
      table,
      (archive.get(table) ?? []).map((row) => ({ ...row, ...fields(row) })),
    )
  const own = archive.get('surveys')?.[0]?.['language'] ?? readFirstLanguage(archive)
  // What has no text in the file's own language needs a mark as well.
  const say = (row: Row, field: string, mark: string) =>
    row[field]?.trim() || (row[field] !== undefined && (row['language'] || own) === own) ? { [field]: mark } : {}
  const blank = (row: Row, ...fields: string[]) =>
    Object.fromEntries(fields.flatMap((field) => (row[field] === undefined ? [] : [[field, '']])))
  // The text of an equation is what it calculates.
  const equations = new Set((archive.get('questions') ?? []).flatMap((row) => (row['type'] === '*' ? [row['qid']] : [])))
  for (const table of ['questions', 'question_l10ns', 'subquestions', 'subqueries'])
    replace(table, (row) => (equations.has(row['qid']) ? {} : { ...say(row, 'question', `q ${row['qid']}`), ...blank(row, 'help') }))
  for (const table of ['groups', 'group_l10ns'])
    replace(table, (row) => ({ ...say(row, 'group_name', `g ${row['gid']}`), ...blank(row, 'description') }))
  replace('answers', (row) => say(row, 'answer', markAnswer(row)))
  replace('answer_l10ns', (row) => {
    const answer = archive.get('answers')?.find((each) => each['aid'] === row['aid'])
    return answer ? say(row, 'answer', markAnswer(answer)) : {}
  })
  return writeArchive(new Map([...marked].filter(([, rows]) => rows.length > 0)))
}

export const markAnswer = (row: Row): string => `a ${row['qid']} ${row['scale_id'] || '0'} ${row['code']}`
