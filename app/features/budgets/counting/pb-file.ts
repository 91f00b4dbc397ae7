import { COUNTING_RULES, type CountingRule } from '#app/lib/vocabulary/budgets.ts'
import { countVotes, type Election, type Votes } from './election.ts'
import { prepareElection } from './ties.ts'

/** An election as a file of the Pabulib library holds it. */
export interface PbFile {
  meta: ReadonlyMap<string, string>
  election: Election
  names: readonly string[]
  /** Ids of the options that the file states as funded; null if it states none. */
  stated: readonly string[] | null
  /** The rule that the file states, if this program knows it. */
  rule: CountingRule | null
}

/** Something in a file that cannot be read. */
export class PbFault extends Error {
  override readonly name = 'PbFault'
  readonly line: number
  constructor(line: number, what: string) {
    super(`Line ${line}: ${what}`)
    this.line = line
  }
}

interface Section {
  columns: readonly string[]
  rows: { line: number; cells: string[] }[]
}

/** Amounts in files are whole units of the currency, with at most two decimals. */
const MINOR = 100
const RULES: Record<string, CountingRule> = {
  ...Object.fromEntries(COUNTING_RULES.map((rule) => [rule, rule])),
  'greedy-threshold': 'greedy',
  'equalshares/add1': 'equal-shares',
}

/** Types of ballots that only name projects, and those that give them points. */
const APPROVALS = ['approval', 'choose-1']
const POINTS = ['cumulative', 'scoring']

/** @throws {PbFault} with the line and what is wrong with it */
export async function readPbFile(text: string): Promise<PbFile> {
  const sections = splitSections(text)
  const meta = new Map(sections.META.rows.map(({ cells: [key = '', ...values] }) => [key, values.join(';')]))
  const lineOf = new Map(sections.META.rows.map(({ line, cells: [key = ''] }) => [key, line]))
  const getMeta = (key: string) => {
    const value = meta.get(key)
    if (value === undefined) throw new PbFault(1, `META has no ${key}`)
    return { value, line: lineOf.get(key) ?? 1 }
  }
  const budget = getMeta('budget')
  const voteType = getMeta('vote_type')
  if (![...APPROVALS, ...POINTS].includes(voteType.value))
    throw new PbFault(voteType.line, `ballots of the type ${voteType.value} are not counted, only ${[...APPROVALS, ...POINTS].join(', ')}`)
  const { options, names, stated } = readProjects(sections.PROJECTS)
  const { ballots, points } = readVotes(sections.VOTES, options, {
    hasPoints: POINTS.includes(voteType.value),
    most: meta.has('max_sum_points') ? Number(meta.get('max_sum_points')) : Infinity,
  })
  requireCount('num_projects', options.length)
  requireCount('num_votes', ballots.length)
  const threshold = meta.get('min_project_score_threshold')
  const votes = {
    pot: parseAmount(budget.value, budget.line),
    unit: MINOR,
    options,
    ballots,
    ...(points && { points }),
    ...(threshold !== undefined && { threshold: Number(threshold) }),
  }
  const lot = meta.get('tie_lot')
  const election = await prepareElection(votes, lot === undefined ? { seed: meta.get('tie_seed') ?? '' } : { lot })
  return { meta, election, names, stated, rule: RULES[meta.get('rule') ?? ''] ?? null }

  function requireCount(key: string, found: number): void {
    const said = meta.get(key)
    if (said !== undefined && Number(said) !== found) throw new PbFault(lineOf.get(key) ?? 1, `${key} is ${said}, but there are ${found}`)
  }
}

function splitSections(text: string): Record<'META' | 'PROJECTS' | 'VOTES', Section> {
  const sections: Partial<Record<string, Section>> = {}
  let current: { columns?: readonly string[]; rows: Section['rows']; name: string } | undefined
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  for (const [at, raw] of lines.entries()) {
    const line = at + 1
    if (raw.trim() === '') continue
    const name = raw.trim()
    if (/^(META|PROJECTS|VOTES)$/i.test(name)) {
      current = { rows: [], name: name.toUpperCase() }
      continue
    }
    if (!current) throw new PbFault(line, 'META is expected here')
    const cells = splitCells(raw, line)
    if (!current.columns) {
      if (cells.length === 1) throw new PbFault(line, `the columns of ${current.name} are not separated by semicolons`)
      current.columns = cells.map((cell) => cell.trim())
      sections[current.name] = { columns: current.columns, rows: current.rows }
    } else if (cells.length < 2) throw new PbFault(line, 'there is no semicolon')
    else if (current.name !== 'META' && cells.length > current.columns.length)
      throw new PbFault(line, `there are ${cells.length} cells, but ${current.columns.length} columns`)
    else current.rows.push({ line, cells: cells.map((cell) => cell.trim()) })
  }
  const { META, PROJECTS, VOTES } = sections
  for (const [name, found] of Object.entries({ META, PROJECTS, VOTES }))
    if (!found) throw new PbFault(lines.length, `there is no section ${name}`)
  return sections as Record<'META' | 'PROJECTS' | 'VOTES', Section>
}

/** Cells between semicolons; a cell in double quotes may hold semicolons, and doubled quotes. */
function splitCells(raw: string, line: number): string[] {
  if (!raw.includes('"')) return raw.split(';')
  const cells: string[] = []
  let rest = raw
  for (;;) {
    const quoted = /^\s*"((?:[^"]|"")*)"\s*(;|$)/.exec(rest)
    const end = quoted ? quoted[0].length : rest.indexOf(';') < 0 ? rest.length : rest.indexOf(';') + 1
    const isLast = quoted ? quoted[2] === '' : rest.indexOf(';') < 0
    cells.push(quoted ? (quoted[1] ?? '').replaceAll('""', '"') : rest.slice(0, isLast ? end : end - 1))
    if (isLast) return cells
    if (cells.length > 100) throw new PbFault(line, 'there are too many cells')
    rest = rest.slice(end)
  }
}

function readProjects({ columns, rows }: Section) {
  const getAt = (name: string) => columns.indexOf(name)
  const [idAt, costAt, nameAt, selectedAt, groupAt] = ['project_id', 'cost', 'name', 'selected', 'exclusive_group'].map(getAt)
  if (idAt === undefined || idAt < 0 || costAt === undefined || costAt < 0)
    throw new PbFault((rows[0]?.line ?? 2) - 1, 'PROJECTS needs the columns project_id and cost')
  const ids = new Set<string>()
  const options = rows.map(({ line, cells }) => {
    const id = cells[idAt] ?? ''
    if (!id || ids.has(id)) throw new PbFault(line, id ? `the project ${id} is there twice` : 'there is no project_id')
    ids.add(id)
    const cost = parseAmount(cells[costAt] ?? '', line)
    if (cost <= 0) throw new PbFault(line, 'the cost is not more than 0')
    const group = groupAt === undefined || groupAt < 0 ? '' : (cells[groupAt] ?? '')
    return { id, cost, ...(group && { group }) }
  })
  const isStated = selectedAt !== undefined && selectedAt >= 0
  return {
    options,
    names: rows.map(({ cells }) => (nameAt === undefined || nameAt < 0 ? '' : (cells[nameAt] ?? ''))),
    stated: isStated ? rows.flatMap(({ cells }) => (cells[selectedAt] === '1' ? [cells[idAt] ?? ''] : [])) : null,
  }
}

const splitList = (cell: string | undefined): string[] =>
  (cell ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)

/** @param most points of one ballot together */
function readVotes(
  { columns, rows }: Section,
  options: Votes['options'],
  { hasPoints, most }: { hasPoints: boolean; most: number },
): { ballots: number[][]; points: number[][] | undefined } {
  const [voteAt = -1, pointsAt = -1] = ['vote', 'points'].map((name) => columns.indexOf(name))
  const titles = (rows[0]?.line ?? 2) - 1
  if (voteAt < 0) throw new PbFault(titles, 'VOTES needs the column vote')
  if (hasPoints && pointsAt < 0) throw new PbFault(titles, 'VOTES needs the column points')
  const positions = new Map(options.map(({ id }, at) => [id, at]))
  const ballots = rows.map(({ line, cells }) => {
    const ballot = splitList(cells[voteAt]).map((id) => {
      const at = positions.get(id)
      if (at === undefined) throw new PbFault(line, `there is no project ${id}`)
      return at
    })
    if (new Set(ballot).size < ballot.length) throw new PbFault(line, 'a project is on this ballot twice')
    return ballot
  })
  if (!hasPoints) return { ballots, points: undefined }
  const points = rows.map(({ line, cells }, at) =>
    readPoints(splitList(cells[pointsAt]), { line, most, projects: ballots[at]?.length ?? 0 }),
  )
  // A project without points is not on the ballot.
  return {
    ballots: ballots.map((ballot, at) => ballot.filter((_, place) => (points[at]?.[place] ?? 0) > 0)),
    points: points.map((own) => own.filter((one) => one > 0)),
  }
}

function readPoints(given: readonly string[], { line, most, projects }: { line: number; most: number; projects: number }): number[] {
  if (given.length !== projects) throw new PbFault(line, `there are ${given.length} numbers of points for ${projects} projects`)
  const wrong = given.find((one) => !/^\d{1,6}$/.test(one))
  if (wrong !== undefined) throw new PbFault(line, `${wrong} is not a number of points`)
  const numbers = given.map(Number)
  const sum = numbers.reduce((a, b) => a + b, 0)
  if (sum > most) throw new PbFault(line, `the ballot gives ${sum} points, more than ${most}`)
  return numbers
}

function parseAmount(text: string, line: number): number {
  if (!/^\d{1,12}(\.\d+)?$/.test(text))
    throw new PbFault(line, `${text || 'nothing'} is not an amount: write digits and, before decimals, a point`)
  return Math.round(Number(text) * MINOR)
}

const formatAmount = (minor: number, unit: number): string => String(minor / unit)
const writeCell = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return /[;"]/.test(line) ? `"${line.replaceAll('"', '""')}"` : line
}

export interface PbDescription {
  description: string
  country: string
  unit: string
  instance: string
  currency: string
  language: string
  rule: CountingRule
  /** That a ballot could give in all, where ballots give points. */
  maxPoints: number | null
  /** ISO dates. */
  from: string
  until: string
}

/** Writes an election as a `.pb` file. Ballots come in an order that says nothing of when they were cast: sorted. */
export function writePbFile(election: Election, names: readonly string[], about: PbDescription, funded: readonly string[]): string {
  const { options, ballots, points, pot, unit, threshold, lot } = election
  const votes = countVotes({ options, ballots })
  const scores = countVotes(election)
  const meta: [string, string | number][] = [
    ['description', about.description],
    ['country', about.country],
    ['unit', about.unit],
    ['instance', about.instance],
    ['num_projects', options.length],
    ['num_votes', ballots.length],
    ['budget', formatAmount(pot, unit)],
    ['vote_type', points ? 'cumulative' : 'approval'],
    ...(points && about.maxPoints !== null ? ([['max_sum_points', about.maxPoints]] as [string, number][]) : []),
    ['rule', about.rule === 'equal-shares' ? 'equalshares/add1' : about.rule],
    ['date_begin', about.from],
    ['date_end', about.until],
    ['language', about.language],
    ['currency', about.currency],
    ...(threshold ? ([['min_project_score_threshold', threshold]] as [string, number][]) : []),
    ['tie_lot', lot],
  ]
  const hasGroups = options.some(({ group }) => group !== undefined)
  const lines = ballots
    .map((ballot, at) => {
      const given = ballot
        .map((option, place) => ({ id: options[option]?.id ?? '', points: points?.[at]?.[place] ?? 0 }))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      const ids = given.map(({ id }) => id).join(',')
      return points ? `${ids};${given.map((one) => one.points).join(',')}` : ids
    })
    .toSorted()
  return [
    'META',
    'key;value',
    ...meta.map(([key, value]) => `${key};${writeCell(String(value))}`),
    'PROJECTS',
    `project_id;cost;votes;${points ? 'score;' : ''}name;selected${hasGroups ? ';exclusive_group' : ''}`,
    ...options.map(({ id, cost, group }, at) =>
      [
        id,
        formatAmount(cost, unit),
        votes[at],
        ...(points ? [scores[at]] : []),
        writeCell(names[at] ?? ''),
        funded.includes(id) ? 1 : 0,
        ...(hasGroups ? [group ?? ''] : []),
      ].join(';'),
    ),
    'VOTES',
    `voter_id;vote${points ? ';points' : ''}`,
    ...lines.map((line, at) => `${at + 1};${line}`),
    '',
  ].join('\n')
}
