import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readEnv } from '../server/env.ts'
import { verifyBudget } from './budget-verify.ts'

const dir = mkdtempSync(join(tmpdir(), 'budget-verify-'))
afterAll(() => rmSync(dir, { recursive: true }))

const FILE = `META
key;value
num_projects;3
num_votes;4
budget;100
vote_type;approval
rule;equalshares/add1
PROJECTS
project_id;cost;votes;name;selected
1;60;3;Benches;1
2;30;2;Trees;1
3;40;1;A sign;0
VOTES
voter_id;vote
1;1,2
2;1
3;1,3
4;2
`
async function verifyText(text: string, ...more: string[]): Promise<string> {
  const path = join(dir, 'file.pb')
  writeFileSync(path, text)
  const lines: string[] = []
  await verifyBudget({ env: readEnv({}), words: [path, ...more], say: (line) => lines.push(line) })
  return lines.join('\n')
}

test('a published budget is counted again from its file, without a database', async () => {
  const said = await verifyText(FILE)
  expect(said).toContain('Funded: 2 for 90.')
  expect(said).toContain('Voters with at least one funded option: 4 of 4.')
  expect(said).toContain('The file states the same result.')
})

test('one changed option is named', async () => {
  await expect(verifyText(FILE.replace('A sign;0', 'A sign;1'))).rejects.toThrow('They differ in: 3.')
})

test('another rule can be tried, and a wrong one or a file that cannot be read is refused in words', async () => {
  expect(await verifyText(FILE, '--rule', 'greedy-no-skip')).toContain('Rule: greedy-no-skip.')
  await expect(verifyText(FILE, '--rule', 'dice')).rejects.toThrow('Usage')
  await expect(verifyText(FILE.replace('2;30;', '2,30,'))).rejects.toThrow('Line 11')
})
