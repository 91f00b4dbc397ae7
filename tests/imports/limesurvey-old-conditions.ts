import type { Row } from './limesurvey-file.ts'

/**
 * The relevance equation that the rows of a question in the table of conditions mean, as LimeSurvey writes it when it upgrades a survey:
 * scenarios are alternatives, and so are the conditions on one field; those on several fields must all hold.
 * @param findType the type of a question by its id
 */
export function writeOldConditions(conditions: readonly Row[], findType: (qid: string) => string): string {
  const scenarios = Map.groupBy(conditions, (each) => each['scenario'] ?? '1').values()
  return Array.from(scenarios, (scenario) => {
    const fields = Map.groupBy(scenario, (each) => `${each['cqid']} ${each['cfieldname']}`).values()
    const alternatives = Array.from(fields, (tests) => tests.map((each) => writeTest(each, findType(each['cqid'] ?? ''))).join(' or '))
    return `(${alternatives.map((each) => `(${each})`).join(' and ')})`
  }).join(' or ')
}

function writeTest({ cfieldname = '', value = '', method: said = '' }: Row, type: string): string {
  const method = said.trim() || '=='
  // Of several choices, the field is the question and the value the option, unless a plus says that the field is both.
  if ((type === 'M' || type === 'P') && !cfieldname.startsWith('+')) return `${cfieldname}${value}.NAOK ${method} "Y"`
  const field = /^\{.+\}$/.test(cfieldname) ? cfieldname.slice(1, -1) : `${cfieldname.replace(/^\+/, '')}.NAOK`
  if (method === 'RX') return `regexMatch("${value}", ${field})`
  // A blank means no answer.
  if (value.trim() === '') return method === '!=' ? `!is_empty(${field})` : `is_empty(${field})`
  return compareWith(field, method, writeValue(value))
}

function writeValue(value: string): string {
  if (/^@\d+X\d+X\d+.*@$/.test(value) || /^\{.+\}$/.test(value)) return value.slice(1, -1)
  return String(Number.parseFloat(value)) === value ? value : `"${value}"`
}

function compareWith(field: string, method: string, value: string): string {
  const isNumber = value === '"0"' || !value.startsWith('"')
  if (method === '!=' && isNumber) return `(is_empty(${field}) || (${field} != ${value}))`
  const needsAnswer = method === '<' || method === '<=' || (isNumber && (method === '==' || method === '>='))
  return needsAnswer ? `(!is_empty(${field}) && (${field} ${method} ${value}))` : `${field} ${method} ${value}`
}
