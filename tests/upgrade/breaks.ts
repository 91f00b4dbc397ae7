interface Column {
  type: string
  isNullable: boolean
  isFilled: boolean
}

const COLUMN =
  /^column (?<name>\S+) (?<type>.+) null (?<nullable>YES|NO) default (?<default>[\s\S]*?) generated (?<generated>[\s\S]*?) collation /
const CONSTRAINT = /^constraint (?<table>\S+) (?<name>\S+) (?<definition>[\s\S]*)$/
const FUNCTION = /^function CREATE OR REPLACE (?:FUNCTION|PROCEDURE) (?<signature>[^]*?)\n/

/**
 * Why processes of a release could fail on the schema that a later one has made of theirs, one phrase for each part, sorted.
 * @param before the lines of `describeSchema` for the release, @param after those of the later one
 */
export function findBreaks(before: readonly string[], after: readonly string[]): string[] {
  const [columns, newColumns] = [readColumns(before), readColumns(after)]
  const tables = new Set([...columns.keys()].map(toTable))
  const breaks: string[] = []
  for (const [name, { type, isNullable }] of columns) {
    const now = newColumns.get(name)
    if (!now) breaks.push(`column ${name} is gone`)
    else if (now.type !== type) breaks.push(`column ${name} has another type`)
    else if (isNullable && !now.isNullable) breaks.push(`column ${name} takes no null any more`)
    else if (!isNullable && now.isNullable) breaks.push(`column ${name} may be null`)
  }
  for (const [name, { isNullable, isFilled }] of newColumns)
    if (!columns.has(name) && tables.has(toTable(name)) && !isNullable && !isFilled) breaks.push(`column ${name} is needed`)
  const [constraints, newConstraints] = [readConstraints(before), readConstraints(after)]
  for (const [name, { table, definition }] of newConstraints) {
    if (!tables.has(table)) continue
    const known = constraints.get(name)
    if (!known) breaks.push(`constraint ${name.split(' ')[1]} of ${table} is new`)
    else if (known.definition !== definition) breaks.push(`constraint ${name.split(' ')[1]} of ${table} has changed`)
  }
  const signatures = new Set(readSignatures(after))
  for (const signature of readSignatures(before)) if (!signatures.has(signature)) breaks.push(`function ${signature} is gone`)
  return breaks.toSorted()
}

const toTable = (column: string): string => column.split('.')[0] ?? ''

function readColumns(lines: readonly string[]): Map<string, Column> {
  const found = new Map<string, Column>()
  for (const line of lines) {
    const parts = COLUMN.exec(line)?.groups
    if (!parts) continue
    const isFilled = Boolean(parts['default'] || parts['generated'])
    found.set(parts['name'] ?? '', { type: parts['type'] ?? '', isNullable: parts['nullable'] === 'YES', isFilled })
  }
  return found
}

function readConstraints(lines: readonly string[]): Map<string, { table: string; definition: string }> {
  const found = new Map<string, { table: string; definition: string }>()
  for (const line of lines) {
    const parts = CONSTRAINT.exec(line)?.groups
    // Which columns take no null is read off the columns.
    if (!parts || parts['definition']?.startsWith('NOT NULL')) continue
    found.set(`${parts['table']} ${parts['name']}`, { table: parts['table'] ?? '', definition: parts['definition'] ?? '' })
  }
  return found
}

const readSignatures = (lines: readonly string[]): string[] => lines.flatMap((line) => FUNCTION.exec(line)?.groups?.['signature'] ?? [])
