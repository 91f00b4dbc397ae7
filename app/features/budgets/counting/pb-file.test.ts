import { describe, expect, test } from 'vitest'
import { countElection } from './count.ts'
import { PbFault, readPbFile, writePbFile } from './pb-file.ts'

const FILE = `META
key;value
description;A village’s fund
num_projects;3
num_votes;4
budget;1000
vote_type;approval
rule;greedy
min_project_score_threshold;2
PROJECTS
project_id;cost;votes;name;selected
1;600;3;"Benches; four of them";1
2;500.50;2;Trees;0
7;300;1;A sign;0
VOTES
voter_id;vote
1;1,2
2;1
3;2,1
4;7
`
const change = (from: string, to: string) => readPbFile(FILE.replace(from, to))
const lineOf = (read: () => unknown): number | undefined => {
  try {
    read()
  } catch (error) {
    if (error instanceof PbFault) return error.line
    throw error
  }
  return undefined
}

describe('a .pb file', () => {
  test('is read with its threshold, quoted names and cents, and counted as it states', () => {
    const { election, names, stated, rule } = readPbFile(FILE)
    expect(election).toMatchObject({ pot: 100_000, unit: 100, threshold: 2, ballots: [[0, 1], [0], [1, 0], [2]] })
    expect(election.options.map(({ cost }) => cost)).toEqual([60_000, 50_050, 30_000])
    expect(names[0]).toBe('Benches; four of them')
    expect(rule).toBe('greedy')
    expect(countElection(election, 'greedy').funded).toEqual(stated)
  })
  test('is written so that it reads the same', () => {
    const { election, names } = readPbFile(FILE)
    const about = {
      description: 'd',
      country: 'c',
      unit: 'u',
      instance: 'i',
      currency: 'CAD',
      language: 'en',
      rule: 'greedy',
      from: '',
      until: '',
    } as const
    const again = readPbFile(writePbFile(election, names, about, ['1']))
    expect({ ...again.election, ballots: again.election.ballots.map((ballot) => ballot.toSorted()).toSorted() }).toEqual({
      ...election,
      ballots: [[0, 1], [0, 1], [0], [2]].toSorted(),
    })
    expect(again.names).toEqual(names)
    expect(again.stated).toEqual(['1'])
  })
  test('with windows line endings and a byte order mark is read too', () => {
    expect(readPbFile(`\uFEFF${FILE.replaceAll('\n', '\r\n')}`).election).toEqual(readPbFile(FILE).election)
  })
  test.each([
    ['commas instead of semicolons', 'project_id;cost;votes;name;selected', 'project_id,cost,votes,name,selected', 11],
    ['a row without a semicolon', '2;500.50;2;Trees;0', '2,500.50,2,Trees,0', 13],
    ['too many cells', '7;300;1;A sign;0', '7;300;1;A sign;0;0', 14],
    ['a comma as the decimal point', '500.50', '500,50', 13],
    ['a cost of 0', '7;300', '7;0', 14],
    ['a negative cost', '7;300', '7;-300', 14],
    ['a project twice', '7;300', '1;300', 14],
    ['a vote for no project', '4;7', '4;8', 20],
    ['a project twice on a ballot', '3;2,1', '3;2,2', 19],
    ['another number of votes', 'num_votes;4', 'num_votes;5', 5],
    ['points', 'vote_type;approval', 'vote_type;cumulative', 7],
    ['no budget', 'budget;1000', 'limit;1000', 1],
  ])('with %s is refused, with the line', (_, from, to, line) => {
    expect(lineOf(() => change(from, to))).toBe(line)
  })
  test('without a section is refused', () => {
    expect(() => readPbFile(FILE.slice(0, FILE.indexOf('VOTES')))).toThrow('there is no section VOTES')
  })
})
