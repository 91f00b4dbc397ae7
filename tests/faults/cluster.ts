import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findReferences } from '#app/server/mail/return-address.ts'
import { startListener } from '#tests/support/portals/listen.ts'
import { ensureBuilt, type Product, runParley, type Settings, startProduct } from '#tests/support/product.ts'
import { makeSurvey, queryAsOwner, signInForToken } from '#tests/support/remote-api.ts'
import { createNotifyService } from '#tests/support/sms/gov-notify-service.ts'
import { createTwilioService } from '#tests/support/sms/twilio-service.ts'
import { CLUSTER_FAULTS, type Cluster, type ClusterFault, type Node } from './cluster/faults.ts'
import { type Answer, ask, findTargets, Load, type Targets } from './cluster/load.ts'
import { Machines, waitFor } from './cluster/machines.ts'
import { findMissingPrograms, INSTALL } from './cluster/programs.ts'
import type { Fault } from './fault.ts'
import { type MailServer, startMailServer } from './smtp-server.ts'
import { addReaders, connectServices, sendCampaign } from './sms.ts'

const ROUNDS = process.argv.includes('--long') ? 5 : 2
const SECRET_KEY = 'a-key-of-the-cluster-with-more-than-32-characters'
const RIGHTS_END_WITHIN_MS = 1000
/** How long a job of a process that died waits until another takes it, and mails in hand with it. */
const JOBS_SETTLE_WITHIN_MS = 180_000
/** How long after a fault the jobs go on by themselves, and have sent the texts that waited for them. */
const JOBS_GO_ON_WITHIN_MS = 75_000

/**
 * Three PostgreSQL servers that take over from each other, two nodes that serve and one that runs the jobs, each of which reaches the database by
 * another way. People use it while each part dies. Nothing acknowledged is lost or doubled, no answer is a 500, kept pages never stop.
 */
export const cluster: Fault = {
  name: 'cluster',
  onlyByName: true,
  async run() {
    const missing = findMissingPrograms()
    if (missing.length > 0) throw new Error(`Not on this machine: ${missing.join(', ')}. On Debian 12: ${INSTALL}`)
    await ensureBuilt()
    const [machines, mails] = [new Machines(), await startMailServer()]
    const nodes: Node[] = []
    let borne = false
    try {
      await machines.start()
      const seen = await runFaults(machines, mails, nodes)
      borne = true
      return seen
    } catch (error) {
      nodes.forEach(({ product }, at) => writeFileSync(join(machines.folder, `node-${at}.log`), product.output()))
      throw new Error(`What each program said is in ${machines.folder}`, { cause: error })
    } finally {
      await Promise.all(nodes.map(({ product }) => product.stop()))
      await machines.stop(!borne)
      await mails.stop()
    }
  },
}

async function runFaults(machines: Machines, mails: MailServer, nodes: Node[]): Promise<string> {
  const settings = {
    DATA_DIR: join(machines.folder, 'files'),
    SECRET_KEY,
    LOG_LEVEL: 'warn',
    TRUSTED_PROXIES: '1',
    DRAIN_SECONDS: '3',
    OUTGOING_LOOPBACK: '1',
    PUBLIC_URL: `http://localhost:${machines.ports.front}`,
    SMTP_URL: mails.url,
    MAIL_FROM: 'parley@riverbend.example',
  }
  mkdirSync(settings.DATA_DIR)
  const seeded = runParley(['seed'], { ...settings, DATABASE_URL: machines.ownerUrl() })
  assert.equal(await seeded.ended, 0, seeded.output())
  await machines.startPool()
  const [webA, webB] = machines.ports.web.map(String)
  // Each by another of the ways that operators have.
  const direct = { ...settings, DATABASE_URL: machines.ownerUrl(), PORT: webA ?? '' }
  const pooled = { ...settings, DATABASE_URL: machines.poolUrl, DATABASE_DIRECT_URL: machines.ownerUrl(), PORT: webB ?? '' }
  const several = { ...settings, DATABASE_URL: machines.serversUrl }
  const [first, second] = [await startNode(nodes, direct, 'web'), await startNode(nodes, pooled, 'web')]
  const jobs = await startNode(nodes, several, 'jobs')
  const front = { ...first.product, port: machines.ports.front, origin: settings.PUBLIC_URL }
  await waitFor('a node behind the proxy', async () => ((await fetch(`${front.origin}/readyz`)).ok ? true : undefined))

  const [twilio, notify] = [createTwilioService(), createNotifyService()]
  const services = await Promise.all([startListener(twilio.listener), startListener((...asked) => notify.listener(...asked))])
  try {
    const token = await signInForToken(front, 'site.admin@riverbend.example')
    const surveyId = await makeSurvey(front, token)
    const targets = await findTargets(machines.superuserUrl, { surveyId, token, secret: SECRET_KEY }, front)
    await connectServices(front, token, services)
    await addReaders(machines.superuserUrl)
    const versionBefore = await readVersion(machines.superuserUrl, targets)
    const load = new Load(front, targets)
    const lines: string[] = []
    try {
      await wait(3000)
      for (let round = 1; round <= ROUNDS; round++)
        for (const fault of CLUSTER_FAULTS) {
          // Refused while the last fault is not quite over, as people are.
          const campaign = await waitFor('a campaign of texts that was taken', () => sendCampaign(front, token).catch(() => undefined))
          const met = await runFault({ machines, web: [first, second], jobs }, fault, load)
          lines.push(`${met}, its texts sent ${await waitForTexts(machines.superuserUrl, campaign)} s later`)
          console.log(`  ${round}  ${lines.at(-1)}`)
          await assertRightsEnd(machines, front)
        }
    } finally {
      await load.stop()
    }
    const stored = await assertStoredOnce(machines.superuserUrl, load, targets, versionBefore)
    const mailed = await assertMailedOnce(machines.superuserUrl, mails)
    const listTexted = () => [...twilio.taken.map(({ to }) => to), ...notify.taken.map((one) => `+${one.phone_number.replace(/\D/g, '')}`)]
    const texted = await assertTextedOnce(machines.superuserUrl, listTexted)
    return `${lines.length} faults; ${stored}; ${mailed}; ${texted}`
  } finally {
    for (const service of services) service.close()
  }
}

async function startNode(nodes: Node[], settings: Settings, role: 'web' | 'jobs'): Promise<Node> {
  const launch = () => startProduct(settings, {}, ['start', '--only', role])
  const product = await launch()
  const node: Node = {
    product,
    start: async () => {
      node.product = await startProduct({ ...settings, PORT: String(node.product.port) }, {}, ['start', '--only', role])
    },
  }
  nodes.push(node)
  return node
}

/** @returns a line of what people met */
async function runFault(cluster: Cluster, fault: ClusterFault, load: Load): Promise<string> {
  load.begin()
  await wait(1000)
  await fault.run(cluster)
  // Until what was refused has been sent again.
  await wait(6000)
  const { longestWait, statuses, pages, wrong } = load.seen
  const longest = Math.max(...Object.values(longestWait))
  const line = `${fault.name}: writes waited ${longest.toFixed(1)} s at most; answers ${JSON.stringify(statuses)}, kept pages ${JSON.stringify(pages)}`
  assert.deepEqual(fault.cutsOff ? wrong.filter((answer) => !isCutOffByProxy(answer)) : wrong, [], line)
  assert.ok(longest <= fault.bound, line)
  const notShown = Object.keys(pages).filter((status) => status !== '200' && !(fault.cutsOff && status === 'cut off'))
  assert.deepEqual(notShown, [], line)
  return line
}

/** What the proxy says if a node dies after it has begun to answer. Parley itself never answers so. */
const isCutOffByProxy = ({ status }: Answer): boolean => status === 502

/** Signed out at one node, refused at the other. */
async function assertRightsEnd({ ports }: Machines, front: Product): Promise<void> {
  const token = await waitFor('a session', () => signInForToken(front, 'participant@riverbend.example').catch(() => undefined))
  const [here, there] = ports.web
  const host = `localhost:${ports.front}`
  const isSignedIn = async () => (await ask(there, { path: '/api/v2/current-user', token, host })).status === 200
  assert.ok(await isSignedIn(), 'signed in at one node is signed in at the other')
  const { text } = await ask(here, { path: '/api/v2/sessions', token, host })
  const sessions = (JSON.parse(text) as { data: { id: string; attributes: { current: boolean } }[] }).data
  const id = sessions.find(({ attributes }) => attributes.current)?.id
  const ended = await ask(here, { method: 'DELETE', path: `/api/v2/sessions/${id}`, token, host })
  assert.equal(ended.status, 204, ended.text)
  await wait(RIGHTS_END_WITHIN_MS)
  assert.ok(!(await isSignedIn()), 'a session that was ended a second ago has no rights')
}

async function readVersion(url: string, { projectId }: Targets): Promise<number> {
  const [project] = await queryAsOwner<{ version: number }>(url, 'select lock_version as version from projects where id = $1', [projectId])
  assert.ok(project)
  return project.version
}

/** Everything acknowledged is a row, nothing is stored twice, and the counts that are shown are the counts of rows. */
async function assertStoredOnce(url: string, { acknowledged }: Load, targets: Targets, versionBefore: number): Promise<string> {
  const tables = { answers: 'responses', contributions: 'contributions', supports: 'reactions' } as const
  for (const [kind, table] of Object.entries(tables)) {
    const ids = acknowledged[kind as keyof typeof tables]
    const rows = await queryAsOwner<{ id: string }>(url, `select id from ${table} where id = any ($1::uuid[])`, [ids])
    assert.deepEqual(rows.map(({ id }) => id).toSorted(), ids.toSorted(), `${kind} that were acknowledged are stored, each once`)
  }
  const emails = acknowledged.registrations.map((id) => `r-${id}@fault.example`)
  const people = await queryAsOwner<{ email: string }>(url, 'select email from users where email = any ($1::text[])', [emails])
  assert.deepEqual(people.map(({ email }) => email).toSorted(), emails.toSorted(), 'each registration made one account')
  assert.equal((await readVersion(url, targets)) - versionBefore, acknowledged.saves.length, 'each save made one version')
  const [counts] = await queryAsOwner<Record<string, number>>(
    url,
    `select (select count(*) from responses where survey_id = $1)::int as answers, (select numbered from activities where id = $2)::int as numbered,
       (select count(*) from contributions where activity_id = $2)::int as contributions, (select count(distinct number) from contributions where activity_id = $2)::int as numbers,
       (select supports from contributions where id = $3)::int as shown, (select count(*) from reactions where contribution_id = $3 and counted)::int as supports`,
    [targets.surveyId, targets.activityId, targets.contributionId],
  )
  assert.ok(counts)
  assert.equal(counts['answers'], acknowledged.answers.length, 'no answer is stored that was not acknowledged')
  assert.equal(counts['contributions'], counts['numbers'], 'each contribution has a number of its own')
  assert.equal(counts['contributions'], counts['numbered'], 'no number is left out')
  assert.equal(counts['shown'], counts['supports'], 'the count that is shown is the count of rows')
  return Object.entries(acknowledged)
    .map(([kind, ids]) => `${ids.length} ${kind}`)
    .join(', ')
}

/** No mail was taken twice, every mail that counts as sent was taken, and those of which nothing is known are marked so. */
async function assertMailedOnce(url: string, { taken }: MailServer): Promise<string> {
  const waiting = async () => {
    const [row] = await queryAsOwner<{ total: number }>(
      url,
      `select count(*)::int as total from outbox_mails where sent_at is null and fault is null and created_at > now() - interval '1 hour'`,
    )
    return row?.total
  }
  const deadline = performance.now() + JOBS_SETTLE_WITHIN_MS
  while ((await waiting()) !== 0 && performance.now() < deadline) await wait(1000)
  const times = new Map<string, number>()
  for (const messageId of taken) {
    const id = findReferences(messageId)[0]?.mailId ?? ''
    times.set(id, (times.get(id) ?? 0) + 1)
  }
  const rows = await queryAsOwner<{ id: string; sent: boolean; fault: string | null }>(
    url,
    'select id, sent_at is not null as sent, fault from outbox_mails where id = any ($1::uuid[]) or (sent_at is null and fault is null)',
    [[...times.keys()].filter(Boolean)],
  )
  for (const { id, sent, fault } of rows) {
    assert.ok((times.get(id) ?? 0) <= 1, `mail ${id} was taken ${times.get(id)} times`)
    assert.ok(sent || fault === 'message-unknown', `mail ${id} is neither sent nor given up: ${fault}`)
  }
  const unknown = rows.filter(({ sent }) => !sent).length
  return `${taken.length} mails, none twice, ${unknown} of which it is not known whether they arrived`
}

/** Waits until no text of a campaign waits any more: what was in hand when a process died may still be looked up. @returns seconds */
async function waitForTexts(url: string, campaignId: string): Promise<number> {
  const began = performance.now()
  const isSent = async () => {
    const [row] = await queryAsOwner<{ status: string; waiting: number }>(
      url,
      `select status, (select count(*) from sms_messages where campaign_id = $1 and status = 'waiting')::int as waiting from campaigns where id = $1`,
      [campaignId],
    )
    return row?.waiting === 0 && ['sending', 'done'].includes(row.status)
  }
  while (!(await isSent())) {
    assert.ok(performance.now() - began < JOBS_GO_ON_WITHIN_MS, 'texts that waited for a fault to end are sent')
    await wait(500)
  }
  return Math.round((performance.now() - began) / 1000)
}

/**
 * Nobody was sent a campaign twice, and every text that counts as accepted was.
 * @param listTaken numbers of the texts that services have taken so far
 */
async function assertTextedOnce(url: string, listTaken: () => readonly string[]): Promise<string> {
  const deadline = performance.now() + JOBS_SETTLE_WITHIN_MS
  const load = () =>
    queryAsOwner<{ campaign: string; phone: string; status: string }>(
      url,
      `select campaign_id as campaign, phone, status from sms_messages where campaign_id is not null and created_at > now() - interval '2 hours'`,
    )
  let rows = await load()
  while (rows.some(({ status }) => status === 'waiting' || status === 'sending') && performance.now() < deadline) {
    await wait(1000)
    rows = await load()
  }
  const campaigns = new Set(rows.map(({ campaign }) => campaign)).size
  const accepted = new Map<string, number>()
  for (const { phone, status } of rows)
    if (status === 'accepted' || status === 'delivered') accepted.set(phone, (accepted.get(phone) ?? 0) + 1)
  const sent = new Map<string, number>()
  const taken = listTaken()
  for (const phone of taken) sent.set(phone, (sent.get(phone) ?? 0) + 1)
  for (const [phone, times] of accepted) {
    assert.ok((sent.get(phone) ?? 0) >= times, `${phone} counts as reached ${times} times, and was ${sent.get(phone) ?? 0}`)
    assert.ok((sent.get(phone) ?? 0) <= campaigns, `${phone} was sent ${sent.get(phone)} texts by ${campaigns} campaigns`)
  }
  return `${taken.length} texts of ${campaigns} campaigns`
}
