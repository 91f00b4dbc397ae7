import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { readClusterHome } from '#app/server/db/cluster-home.ts'
import { addOpenRound, addVoters, countStoredBallots, describeBallot } from '#tests/support/open-round.ts'
import { startProduct } from '#tests/support/product.ts'
import { getOwnerUrl } from '#tests/support/remote-api.ts'
import type { Fault } from './fault.ts'
import { withFaultSetup, withProduct } from './setup.ts'
import { sendDocument, startSending, type Writers } from './writers.ts'

const ROUNDS = 3
const PEOPLE = 100
const VOTERS = 30_000

/** The product, with two web processes, is killed while people vote on a budget: first alone, then with its database. */
export const killUnderBallots: Fault = {
  name: 'kill -9 under ballots',
  run: () =>
    withFaultSetup(async ({ dataDir, settings }) => {
      const twoProcesses = { ...settings, WEB_PROCESSES: '2' }
      const log = join(dataDir, '..', 'ballots')
      let vote: Vote | undefined
      for (let count = 0; count < ROUNDS; count++) {
        const product = await startProduct(twoProcesses)
        vote ??= await openVote(getOwnerUrl(dataDir))
        const voting = startSending(log, PEOPLE, createSender(product.origin, vote))
        while (!voting.statuses['201']) await wait(50)
        await wait(500 + Math.random() * 1500)
        const database = Number(readFileSync(join(readClusterHome(dataDir), 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
        product.process.kill('SIGKILL')
        if (count > 0) process.kill(database, 'SIGKILL')
        // Without a product to answer, the others would use up everybody who can vote.
        await Promise.all([voting.stop(), product.ended])
        await withProduct(twoProcesses, ({ origin }) => assertAllCast(getOwnerUrl(dataDir), vote as Vote, voting, origin))
        voting.keep(voting.open())
      }
      return `nothing acknowledged was lost, nobody has two ballots, and there are as many ballots as voters (${vote?.voted.size} of them)`
    }),
}

interface Vote {
  roundId: string
  /** Of people who have not voted yet. */
  waiting: string[]
  /** The session of each voter, by the id of what they sent. */
  voted: Map<string, string>
}

async function openVote(url: string): Promise<Vote> {
  const { id, siteId } = await addOpenRound(url)
  return { roundId: id, waiting: await addVoters(url, siteId, VOTERS), voted: new Map() }
}

/** Each id is another person’s ballot; the same id again is sent by the same person. */
const createSender =
  (origin: string, { roundId, waiting, voted }: Vote) =>
  (id: string, writer = 0, refusals?: Writers['refusals']): Promise<string> => {
    const bearer = voted.get(id) ?? waiting.pop()
    if (!bearer) throw new Error(`Everybody has voted or was refused: ${JSON.stringify(refusals?.[0])}`)
    voted.set(id, bearer)
    const options = [1 + (parseInt(id.slice(-4), 16) % 10)]
    return sendDocument(`${origin}/api/v2/budget-ballots`, {
      method: 'POST',
      document: describeBallot(roundId, id, options),
      writer,
      bearer,
      refusals,
    })
  }

/** What was acknowledged is there, and is the same ballot when it is sent again; what was not can be sent again. */
async function assertAllCast(url: string, vote: Vote, sent: Writers, origin: string): Promise<void> {
  const acknowledged = sent.acknowledged()
  assert.ok(acknowledged.length > 0, `something was acknowledged, not only ${JSON.stringify([sent.statuses, sent.refusals[0]])}`)
  const before = await countStoredBallots(url, vote.roundId)
  assert.equal(before.ballots, before.voters, 'as many ballots as voters')
  assert.ok(before.ballots >= acknowledged.length, `${acknowledged.length} were acknowledged, and ${before.ballots} are stored`)
  const send = createSender(origin, vote)
  for (const id of [...acknowledged.slice(-PEOPLE), ...sent.open()])
    assert.match(await send(id), /^20[01]$/, 'is taken when it is sent again')
  const after = await countStoredBallots(url, vote.roundId)
  const all = acknowledged.length + sent.open().length
  assert.deepEqual(after, { ballots: all, voters: all }, 'each sending is one ballot of one voter')
}
