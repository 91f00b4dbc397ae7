import type { CellValue } from '../questionnaire/question-types/question-type.ts'
import { formatCsvLine } from '#app/lib/csv.ts'
import { encodeLines } from '#app/server/encode-lines.ts'
import type { ExportedRow, ExportPlan, PlanColumn } from './export-plan.ts'
import { streamZip } from '#app/server/zip.ts'

/** Maximum bytes of a string variable, and of a variable or value label. */
const MAX_STRING_LENGTH = 32_767
const MAX_LABEL_LENGTH = 120
const MAX_NAME_LENGTH = 60
const WIDEST_NUMBER = 40
const MAX_DECIMALS = 16
/** Keywords, and the commands that PSPP recognises in the middle of another, also abbreviated. */
const RESERVED_NAME = /^(all|and|by|eq|ge|gt|le|lt|ne|not|or|to|with|comm(e(nt?)?)?|docu(m(e(nts?)?)?)?)$/i

interface SpssVariable {
  column: PlanColumn
  name: string
  /** The longest value: bytes for text, digits for numbers, and how many of those are decimals. */
  width: number
  decimals: number
}

/**
 * The responses for SPSS and PSPP: a CSV file, and the syntax with variable names, labels and codes. The syntax comes last, because the
 * string lengths are only known then.
 * @param words labels for the two values of a checkbox
 */
export async function* streamSpss(
  plan: ExportPlan,
  pages: AsyncIterable<readonly ExportedRow[]>,
  words: { yes: string; no: string },
): AsyncGenerator<Uint8Array> {
  const variables = nameVariables(plan.columns)
  const name = `${plan.survey.slug}-${plan.at.toISOString().slice(0, 10)}`
  async function* streamData() {
    yield formatCsvLine(variables.map((variable) => variable.name))
    for await (const rows of pages)
      yield encodeLines(rows, (row) => formatCsvLine(variables.map((variable) => measureValue(variable, row))))
  }
  async function* streamSyntax() {
    yield formatSyntax(variables, `${name}.csv`, plan.survey.title, words)
  }
  yield* streamZip([
    { name: `${name}.csv`, pieces: streamData() },
    { name: `${name}.sps`, pieces: streamSyntax() },
  ])
}

/** Valid SPSS names: letters, digits, dots and underscores, starting with a letter, unique ignoring case. */
function nameVariables(columns: readonly PlanColumn[]): SpssVariable[] {
  const taken = new Set<string>()
  return columns.map((column) => {
    const plain = column.code
      .replace(/[^A-Za-z0-9.]/g, '_')
      .slice(0, MAX_NAME_LENGTH)
      .replace(/[._]+$/, '')
    const base = /^[A-Za-z]/.test(plain) && !RESERVED_NAME.test(plain) ? plain : `v_${plain}`
    let name = base
    for (let count = 2; taken.has(name.toLowerCase()); count++) name = `${base}_${count}`
    taken.add(name.toLowerCase())
    return { column, name, width: 1, decimals: 0 }
  })
}

const isNumeric = ({ column: { holds } }: SpssVariable): boolean =>
  holds.kind === 'number' || (holds.kind === 'code' && holds.labels.length === 0)

/** The value on a single line, since each line of the file is a case. Text in a numeric variable is dropped. */
function measureValue(variable: SpssVariable, row: ExportedRow): CellValue {
  const value = variable.column.value(row)
  if (isNumeric(variable)) {
    if (typeof value !== 'number') return null
    const digits = String(value)
    variable.width = Math.max(variable.width, digits.length)
    variable.decimals = Math.max(variable.decimals, Math.min(MAX_DECIMALS, digits.split('.')[1]?.length ?? 0))
    return value
  }
  if (value === null) return null
  // SPSS knows neither the T, nor fractions of a second, nor a zone.
  if (variable.column.means === 'moment') return String(value).slice(0, 19).replace('T', ' ')
  if (isMoment(variable)) return value
  const line = String(value).replace(/\s*[\r\n]+\s*/g, ' ')
  variable.width = Math.min(MAX_STRING_LENGTH, Math.max(variable.width, Buffer.byteLength(line) + 1))
  return line
}

const MOMENT_FORMATS = { day: 'SDATE10', time: 'TIME5', moment: 'YMDHMS19' } as const

const isMoment = ({ column: { means } }: SpssVariable): boolean => means !== undefined && means !== 'order'

function formatVariable(variable: SpssVariable): string {
  const { means } = variable.column
  if (means !== undefined && means !== 'order') return MOMENT_FORMATS[means]
  return isNumeric(variable)
    ? `F${Math.min(WIDEST_NUMBER, Math.max(variable.width, variable.decimals + 2))}.${variable.decimals}`
    : `A${variable.width}`
}

/** Of codes and text, nominal; of steps, ordinal; of anything else that is counted or measured, scale. */
function findLevel(variable: SpssVariable): 'NOMINAL' | 'ORDINAL' | 'SCALE' {
  const { holds, means } = variable.column
  if (means === 'order') return 'ORDINAL'
  return isMoment(variable) || holds.kind === 'number' ? 'SCALE' : 'NOMINAL'
}

const quoteLabel = (text: string): string =>
  `"${Array.from(text.replace(/\s+/g, ' ').trim()).slice(0, MAX_LABEL_LENGTH).join('').replaceAll('"', '""')}"`

function formatSyntax(variables: readonly SpssVariable[], file: string, title: string, words: { yes: string; no: string }): string {
  const labelled = variables.flatMap(({ column: { holds }, name }) =>
    holds.kind !== 'code'
      ? []
      : holds.labels.length === 0
        ? [`  /${name} 1 ${quoteLabel(words.yes)} 0 ${quoteLabel(words.no)}`]
        : [`  /${name}${holds.labels.map(([code, label]) => `\n    ${quoteLabel(String(code))} ${quoteLabel(label)}`).join('')}`],
  )
  return [
    '* Encoding: UTF-8.',
    `TITLE ${quoteLabel(title).replace(/^"(.{0,58}).*"$/, '"$1"')}.`,
    'GET DATA',
    '  /TYPE=TXT',
    `  /FILE="${file}"`,
    '  /ENCODING="UTF8"',
    '  /ARRANGEMENT=DELIMITED',
    '  /DELCASE=LINE',
    '  /FIRSTCASE=2',
    '  /DELIMITERS=","',
    `  /QUALIFIER='"'`,
    '  /VARIABLES=',
    `${variables.map((variable) => `    ${variable.name} ${formatVariable(variable)}`).join('\n')}.`,
    `VARIABLE LABELS\n${variables
      .map(({ name, column }) => `  /${name} ${quoteLabel(column.label)}`)
      .join('\n')
      .replace('  /', '  ')}.`,
    `VARIABLE LEVEL\n${variables
      .map((variable) => `  /${variable.name} (${findLevel(variable)})`)
      .join('\n')
      .replace('  /', '  ')}.`,
    ...(labelled.length > 0 ? [`VALUE LABELS\n${labelled.join('\n')}.`] : []),
    'EXECUTE.',
    '',
  ].join('\r\n')
}
