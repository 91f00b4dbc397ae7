import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { describeResult } from '../features/budgets/counting/check-result.ts'
import { readPbFile } from '../features/budgets/counting/pb-file.ts'
import { describeEntry, describeStart, writeEntry, writeHead } from '../features/ledger/entries.ts'
import { readEnv } from '../server/env.ts'
import { verifyLedger } from './verify.ts'

const dir = mkdtempSync(join(tmpdir(), 'verify-'))
afterAll(() => rmSync(dir, { recursive: true }))

const POTS = ['Elm', 'Oak'].map(
  (name, at) => `META
key;value
num_projects;2
num_votes;2
budget;100
vote_type;approval
rule;greedy
tie_lot;${at}
PROJECTS
project_id;cost;votes;name;selected
${at * 2 + 1};60;2;${name};1
${at * 2 + 2};50;1;Another;0
VOTES
voter_id;vote
1;${at * 2 + 1}
2;${at * 2 + 1},${at * 2 + 2}
`,
)
const LEDGER = '0c9d6c2e-6b5e-4d3c-9a55-5d2f8d0c1e11'
const hash = (text: string) => createHash('sha256').update(text).digest('hex')

/** A ledger of four ballots that ends with the result of both pots. */
async function buildLedger(ballots = 4): Promise<string[]> {
  const pots = await Promise.all(POTS.map(readPbFile))
  const result = describeResult(
    ballots,
    pots.map(({ election, stated }) => ({ digest: election.digest, rule: 'greedy', funded: stated ?? [] })),
  )
  let previous = hash(describeStart(LEDGER))
  const lines = ['one', 'two', 'three', 'four', result].map((content, at) => {
    const draft = { number: at + 1, previous, kind: at < 4 ? ('added' as const) : ('result' as const), leaf: hash(content) }
    previous = hash(describeEntry(draft))
    return writeEntry({ ...draft, hash: previous })
  })
  return [writeHead({ ledger: LEDGER, entries: 5, head: previous }), ...lines]
}

async function runVerify(lines: readonly string[], pots: readonly string[] = []): Promise<string> {
  const paths = [`${lines.join('\n')}\n`, ...pots].map((text, at) => {
    const path = join(dir, `file-${at}`)
    writeFileSync(path, text)
    return path
  })
  const said: string[] = []
  await verifyLedger({ env: readEnv({}), words: paths, say: (line) => said.push(line) })
  return said.join('\n')
}

test('a ledger and the result that it ends with are recomputed from files alone', async () => {
  const said = await runVerify(await buildLedger(), POTS)
  expect(said).toContain('5 entries, each joined to the one before.')
  expect(said).toContain('4 stand, 0 are marked as replaced, and the last one is the certified result.')
  expect(said).toContain('The ledger is closed with this result')
  expect(await runVerify(await buildLedger(), POTS.toReversed())).toContain('The ledger is closed with this result')
})

test('rows that were changed, dropped or moved are named', async () => {
  const lines = await buildLedger()
  await expect(runVerify(lines.with(2, (lines[2] ?? '').replace('"leaf":"', '"leaf":"0')))).rejects.toThrow('Row 3: this is not an entry')
  const entry = JSON.parse(lines[2] ?? '') as Parameters<typeof writeEntry>[0]
  await expect(runVerify(lines.with(2, writeEntry({ ...entry, leaf: hash('other') })))).rejects.toThrow('Row 3: entry 2 was changed.')
  await expect(runVerify(lines.toSpliced(2, 1))).rejects.toThrow('Row 3: entry 2 is missing before it.')
  await expect(runVerify(lines.toSpliced(2, 1).toSpliced(4, 0, lines[2] ?? ''))).rejects.toThrow('Row 5: entry 2 was moved here.')
})

test('a ballot that was changed, another number of ballots, or a pot that is left out is told', async () => {
  const lines = await buildLedger()
  const [elm = '', oak = ''] = POTS
  await expect(runVerify(lines, [elm.replace('2;1,2\n', '2;1\n'), oak])).rejects.toThrow('The ledger is closed with another result')
  await expect(runVerify(lines, [elm.replace('Elm;1', 'Elm;0'), oak])).rejects.toThrow('states another result than its ballots give')
  await expect(runVerify(lines, [elm])).rejects.toThrow('Name the files of all pots')
  await expect(runVerify(await buildLedger(3), POTS)).rejects.toThrow('The ledger is closed with another result')
  await expect(runVerify(['nothing'])).rejects.toThrow('this is not the first line of a ledger')
})

/** A ledger of an activity: three contributions, of which the first was changed, so that it is a fourth one, and the third withdrawn. */
function buildActivityLedger(contents: readonly string[]): string[] {
  let previous = hash(describeStart(LEDGER))
  const drafts = [
    ...contents.map((content) => ({ kind: 'added' as const, leaf: hash(content) })),
    { kind: 'replaced' as const, of: 1 },
    { kind: 'withdrawn' as const, of: 3 },
  ]
  const lines = drafts.map((draft, at) => {
    const entry = { ...draft, number: at + 1, previous }
    previous = hash(describeEntry(entry))
    return writeEntry({ ...entry, hash: previous })
  })
  return [writeHead({ ledger: LEDGER, entries: drafts.length, head: previous }), ...lines]
}

test('a ledger of an activity is recomputed, and the file of a receipt finds its entry', async () => {
  const proofs = ['Benches', 'Lamps', 'Trees', 'More benches'].map((body, at) => `${hash(String(at))}${JSON.stringify({ body })}`)
  const lines = buildActivityLedger(proofs)
  expect(await runVerify(lines)).toContain('2 stand, 1 are marked as replaced, 1 as withdrawn.')
  const said = await runVerify(lines, [proofs[0] ?? '', `${proofs[1]}\n`, proofs[2] ?? ''])
  expect(said).toContain('file-1 is entry 1, which is marked as replaced.')
  expect(said).toContain('file-2 is entry 2, which stands.')
  expect(said).toContain('file-3 is entry 3, which is marked as withdrawn.')
  await expect(runVerify(lines, [proofs[1]?.replace('Lamps', 'Lamp') ?? ''])).rejects.toThrow('The ledger has no entry of')
  const stone = lines[6] ?? ''
  await expect(runVerify(lines.with(6, stone.replace('"of":3', '"of":2')))).rejects.toThrow('Row 7: entry 6 was changed.')
  await expect(runVerify(lines.with(6, stone.replace('withdrawn', 'replaced')))).rejects.toThrow('Row 7: entry 6 was changed.')
  await expect(runVerify(lines.toSpliced(6, 1))).rejects.toThrow('Row 1: it states another number of entries')
  await expect(runVerify([...lines.slice(0, 2), lines[6] ?? '', ...lines.slice(2, 6)])).rejects.toThrow('entry 6 was moved here')
})
