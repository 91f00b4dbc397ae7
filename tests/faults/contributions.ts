import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { readClusterHome } from '#app/server/db/cluster-home.ts'
import { createBrowserToken } from '#app/server/auth/sign-browser-token.ts'
import { startProduct } from '#tests/support/product.ts'
import { getOwnerUrl, queryAsOwner } from '#tests/support/remote-api.ts'
import type { Fault } from './fault.ts'
import { withFaultSetup, withProduct } from './setup.ts'
import { sendDocument, startSending, type Writers } from './writers.ts'

const ROUNDS = 3
const PEOPLE = 100
/** Reactions go to so many contributions: each is reacted to by many at once. */
const REACTED_TO = 10

/** The product, with two web processes, is killed while people post contributions and support others: first alone, then with its database. */
export const killUnderContributions: Fault = {
  name: 'kill -9 under contributions and reactions',
  run: () =>
    withFaultSetup(async ({ dataDir, settings }) => {
      const twoProcesses = { ...settings, WEB_PROCESSES: '2' }
      const logs = ['contributions', 'reactions'].map((name) => join(dataDir, '..', name))
      const seen: string[] = []
      for (let count = 0; count < ROUNDS; count++) {
        const product = await startProduct(twoProcesses)
        const targets = await findTargets(getOwnerUrl(dataDir), readFileSync(join(dataDir, 'secret.key'), 'utf8').trim())
        const [posting, reacting] = [
          startSending(logs[0] ?? '', PEOPLE, createSender(product.origin, 'contributions', targets)),
          startSending(logs[1] ?? '', PEOPLE, createSender(product.origin, 'reactions', targets)),
        ]
        while (!posting.statuses['201'] || !reacting.statuses['201']) await wait(50)
        await wait(500 + Math.random() * 1500)
        const database = Number(readFileSync(join(readClusterHome(dataDir), 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
        product.process.kill('SIGKILL')
        if (count > 0) process.kill(database, 'SIGKILL')
        await product.ended
        await Promise.all([posting.stop(), reacting.stop()])
        await withProduct(twoProcesses, async ({ origin }) => {
          const url = getOwnerUrl(dataDir)
          const posted = await assertAllStored(url, 'contributions', posting, createSender(origin, 'contributions', targets))
          const reacted = await assertAllStored(url, 'reactions', reacting, createSender(origin, 'reactions', targets))
          await assertCountsMatch(url)
          seen.push(`${posted} contributions and ${reacted} reactions`)
        })
        for (const one of [posting, reacting]) one.keep(one.open())
      }
      return `nothing acknowledged was lost or doubled, and every count is the count of rows (${seen.join('; ')})`
    }),
}

export interface Targets {
  /** An activity in which anyone may post. */
  activityId: string
  /** Published contributions that anyone may support. */
  contributionIds: readonly string[]
  /** Sign the tokens of the people who send. */
  secret: string
  siteId: string
}

/** Opens an activity of the demo to anyone, and finds what to send to. @param secret the signing key of the installation */
export async function findTargets(url: string, secret: string): Promise<Targets> {
  const [activity] = await queryAsOwner<{ id: string; siteId: string }>(
    url,
    `select id, site_id as "siteId" from activities where kind = 'ideas' and status = 'published' and site_id = (select id from sites where slug = 'riverbend')`,
  )
  assert.ok(activity, 'the demo has an activity to post in')
  await queryAsOwner(url, `update activities set post_access = 'anyone_once', react_access = 'anyone_once' where id = $1`, [activity.id])
  const published = await queryAsOwner<{ id: string }>(
    url,
    `select c.id from contributions c join activities a on a.id = c.activity_id
     where a.kind = 'places' and c.state = 'published' and a.site_id = (select id from sites where slug = 'riverbend')
     order by c.number limit $1`,
    [REACTED_TO],
  )
  return { secret, siteId: activity.siteId, activityId: activity.id, contributionIds: published.map(({ id }) => id) }
}

/** Everything is sent by another person, whom only the id tells apart. */
export function createSender(
  origin: string,
  type: 'contributions' | 'reactions',
  { activityId, contributionIds, secret, siteId }: Targets,
) {
  return (id: string, writer = 0, refusals?: Writers['refusals']): Promise<string> => {
    if (type === 'contributions') {
      const attributes = {
        title: `A bench at stop ${id}`,
        body: 'People wait here in the rain.',
        shownAs: 'anonymous',
        sendKey: 'known-to-the-sender-alone',
        browserToken: createBrowserToken(secret, siteId),
      }
      const document = { data: { type, id, attributes, relationships: { activity: { data: { type: 'activities', id: activityId } } } } }
      return sendDocument(`${origin}/api/v2/contributions`, { method: 'POST', document, writer, refusals })
    }
    const target = contributionIds[parseInt(id.slice(-4), 16) % contributionIds.length]
    const attributes = { value: 'support', browserToken: createBrowserToken(secret, siteId) }
    const document = { data: { type, id, attributes, relationships: { contribution: { data: { type: 'contributions', id: target } } } } }
    return sendDocument(`${origin}/api/v2/reactions/${id}`, { method: 'PUT', document, writer, refusals })
  }
}

/** What was acknowledged is there; what was not can be sent again. @returns how many are stored */
async function assertAllStored(
  url: string,
  table: 'contributions' | 'reactions',
  sent: Writers,
  send: (id: string) => Promise<string>,
): Promise<number> {
  const load = async (ids: readonly string[]) =>
    (await queryAsOwner<{ id: string }>(url, `select id from ${table} where id = any ($1::uuid[])`, [ids])).map(({ id }) => id)
  const acknowledged = sent.acknowledged()
  assert.ok(acknowledged.length > 0, `something was acknowledged, not only ${JSON.stringify([sent.statuses, sent.refusals[0]])}`)
  assert.deepEqual((await load(acknowledged)).toSorted(), acknowledged.toSorted(), 'acknowledged and lost, or stored twice')
  for (const id of sent.open()) assert.match(await send(id), /^20[01]$/, 'what nobody acknowledged is taken when it is sent again')
  const all = [...acknowledged, ...sent.open()]
  assert.deepEqual((await load(all)).toSorted(), all.toSorted(), 'each sending is stored exactly once')
  return all.length
}

/** Numbers are given once, without a gap, and supports are rows. */
async function assertCountsMatch(url: string): Promise<void> {
  const wrong = await queryAsOwner(
    url,
    `select c.id, c.supports, count(distinct r.person_hash)::int as people
     from contributions c join activities a on a.id = c.activity_id left join reactions r on r.contribution_id = c.id
     where a.kind = 'places' and c.number <= ${REACTED_TO} group by c.site_id, c.id, c.supports
     having c.supports <> count(r.id) filter (where r.counted) or count(r.id) <> count(distinct r.person_hash)`,
  )
  assert.deepEqual(wrong, [], 'supports are the people who reacted and count')
  const numbered = await queryAsOwner(
    url,
    `select a.id, a.numbered, count(c.id)::int as stored, max(c.number) as last, count(distinct c.number)::int as numbers
     from activities a left join contributions c on c.activity_id = a.id
     group by a.site_id, a.id, a.numbered having a.numbered <> count(c.id) or count(c.id) <> count(distinct c.number)`,
  )
  assert.deepEqual(numbered, [], 'each contribution has a number of its own, and none is left out')
}
