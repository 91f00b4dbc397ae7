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
const lineOf = async (read: () => Promise<unknown>): Promise<number | undefined> => {
  try {
    await read()
  } catch (error) {
    if (error instanceof PbFault) return error.line
    throw error
  }
  return undefined
}

describe('a .pb file', () => {
  test('is read with its threshold, quoted names and cents, and counted as it states', async () => {
    const { election, names, stated, rule } = await readPbFile(FILE)
    expect(election).toMatchObject({ pot: 100_000, unit: 100, threshold: 2, ballots: [[0, 1], [0], [1, 0], [2]] })
    expect(election.options.map(({ cost }) => cost)).toEqual([60_000, 50_050, 30_000])
    expect(names[0]).toBe('Benches; four of them')
    expect(rule).toBe('greedy')
    expect(countElection(election, 'greedy').funded).toEqual(stated)
  })
  test('is written so that it reads the same', async () => {
    const { election, names } = await readPbFile(FILE)
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
      maxPoints: null,
    } as const
    const again = await readPbFile(writePbFile(election, names, about, ['1']))
    expect({ ...again.election, ballots: again.election.ballots.map((ballot) => ballot.toSorted()).toSorted() }).toEqual({
      ...election,
      ballots: [[0, 1], [0, 1], [0], [2]].toSorted(),
    })
    expect(again.names).toEqual(names)
    expect(again.stated).toEqual(['1'])
  })
  test('with windows line endings and a byte order mark is read too', async () => {
    expect((await readPbFile(`\uFEFF${FILE.replaceAll('\n', '\r\n')}`)).election).toEqual((await readPbFile(FILE)).election)
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
    ['ranks', 'vote_type;approval', 'vote_type;ordinal', 7],
    ['points that are not there', 'vote_type;approval', 'vote_type;cumulative', 16],
    ['no budget', 'budget;1000', 'limit;1000', 1],
  ])('with %s is refused, with the line', async (_, from, to, line) => {
    expect(await lineOf(() => change(from, to))).toBe(line)
  })
  test('without a section is refused', async () => {
    await expect(readPbFile(FILE.slice(0, FILE.indexOf('VOTES')))).rejects.toThrow('there is no section VOTES')
  })
})

const POINTS_FILE = `META
key;value
num_projects;3
num_votes;3
budget;100
vote_type;cumulative
max_sum_points;10
rule;equalshares/add1
PROJECTS
project_id;cost;votes;score;name;selected
1;60;2;9;Benches;0
2;40;2;8;Trees;1
3;50;2;13;A sign;1
VOTES
voter_id;vote;points
1;1,2;7,3
2;1,3;2,8
3;2,3;5,5
`

describe('a .pb file with points', () => {
  test('is read, counted by either rule, and written so that it reads the same', async () => {
    const { election, names, stated, rule } = await readPbFile(POINTS_FILE)
    expect(election.points).toEqual([
      [7, 3],
      [2, 8],
      [5, 5],
    ])
    expect(rule && countElection(election, rule).funded.toSorted()).toEqual(stated)
    expect(countElection(election, 'greedy').votes).toEqual([9, 8, 13])
    const about = { description: '', country: '', unit: '', instance: '', currency: 'CAD', language: 'en', from: '', until: '' }
    const written = writePbFile(election, names, { ...about, rule: 'equal-shares', maxPoints: 10 }, ['2', '3'])
    expect(written).toContain('vote_type;cumulative\nmax_sum_points;10\n')
    expect(written).toContain('1;60;2;9;Benches;0\n')
    const again = await readPbFile(written)
    expect(again.election.digest).toBe(election.digest)
    expect(again.stated).toEqual(['2', '3'])
  })
  test('reads scores without a limit, and leaves out options without points', async () => {
    const scoring = POINTS_FILE.replace('cumulative', 'scoring').replace('max_sum_points;10\n', '').replace('1,2;7,3', '1,2,3;7,0,30')
    const { election } = await readPbFile(scoring)
    expect([election.ballots[0], election.points?.[0]]).toEqual([
      [0, 2],
      [7, 30],
    ])
  })
  test.each([
    ['more points than a ballot has', '7,3', '7,4', 16],
    ['fewer points than options', '2,8', '2', 17],
    ['points that are not whole', '5,5', '5,0.5', 18],
    ['negative points', '5,5', '5,-5', 18],
  ])('with %s is refused, with the line', async (_, from, to, line) => {
    expect(await lineOf(() => readPbFile(POINTS_FILE.replace(from, to)))).toBe(line)
  })
})
