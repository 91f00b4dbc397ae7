import { randomInt } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { v7 } from 'uuid'
import { createBrowserToken } from '#app/server/auth/sign-browser-token.ts'
import type { Product } from '#tests/support/product.ts'
import { callApi, createResponseDocument, queryAsOwner, SENDING_HEADERS } from '#tests/support/remote-api.ts'

/** What the people send to. */
export interface Targets {
  siteId: string
  surveyId: string
  activityId: string
  /** A published contribution that everyone supports. */
  contributionId: string
  /** A project that an administrator saves again and again. */
  projectId: string
  token: string
  secret: string
}

const KINDS = ['answers', 'contributions', 'supports', 'saves', 'registrations'] as const
type Kind = (typeof KINDS)[number]
const CLIENTS: Record<Kind, number> = { answers: 4, contributions: 4, supports: 4, saves: 1, registrations: 1 }
const PAUSE_MS: Record<Kind, number> = { answers: 60, contributions: 60, supports: 60, saves: 200, registrations: 1000 }
const AGAIN_AFTER_MS = 300
/** A request that is still refused after this time is given up once the faults are over. Its refusals are in `wrong`. */
const GIVE_UP_AFTER_MS = 60_000
/** Shown to visitors before the faults, and so from memory during them. */
const KEPT_PAGES = ['/', '/projects']

export interface Answer {
  /** 0 if the connection was cut off. */
  status: number
  text: string
}

interface Asked {
  method?: string
  path: string
  document?: object
  token?: string
  /** One of this machine's own addresses: people who share one are asked to wait. */
  from?: string
  host: string
}

const agent = new Agent({ keepAlive: true, maxSockets: 200 })

/** Asks one port, as the public address that the proxy has. */
export const ask = (port: number, { method = 'GET', path, document, token, from, host }: Asked): Promise<Answer> =>
  new Promise((resolve) => {
    const failed = () => resolve({ status: 0, text: '' })
    const headers = {
      host,
      ...(path.startsWith('/api') ? SENDING_HEADERS : { accept: 'text/html' }),
      ...(token ? { 'x-api-token': `Bearer ${token}` } : {}),
    }
    const place = { host: '127.0.0.1', port, ...(from ? { localAddress: from } : {}) }
    const sent = request({ ...place, method, path, agent, setHost: false, headers, timeout: 60_000 }, (answer) => {
      let text = ''
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
      answer.on('error', failed)
    })
    sent.on('timeout', () => sent.destroy(new Error('a minute without an answer')))
    sent.on('error', failed)
    sent.end(document ? JSON.stringify(document) : undefined)
  })

/** What people met since the last `begin`. */
export interface Seen {
  /** From the first try until something was taken, seconds, the longest of each kind. */
  longestWait: Record<Kind, number>
  /** Answers to things that were sent, by status. */
  statuses: Record<string, number>
  /** Answers to readers of kept pages, by status. */
  pages: Record<string, number>
  /** Answers that were neither success nor 503. */
  wrong: Answer[]
}

/** People who send things until they are taken, each under one id, and people who read. */
export class Load {
  readonly acknowledged: Record<Kind, string[]> = { answers: [], contributions: [], supports: [], saves: [], registrations: [] }
  seen = createSeen()
  private readonly product: Pick<Product, 'origin' | 'port'>
  private readonly targets: Targets
  private readonly ending = new AbortController()
  private readonly done: Promise<unknown>
  private readonly browsers = new Map<string, string>()

  constructor(product: Pick<Product, 'origin' | 'port'>, targets: Targets) {
    this.product = product
    this.targets = targets
    const senders = KINDS.flatMap((kind, group) =>
      Array.from({ length: CLIENTS[kind] }, (_, n) => this.sendOn(kind, `127.0.${group + 1}.${n + 1}`)),
    )
    this.done = Promise.all([...senders, ...KEPT_PAGES.map((path) => this.readOn(path))])
  }

  /** Counts anew. */
  begin(): void {
    this.seen = createSeen()
  }

  async stop(): Promise<void> {
    this.ending.abort()
    await this.done
  }

  private get host(): string {
    return `localhost:${this.product.port}`
  }

  private async sendOn(kind: Kind, from: string): Promise<void> {
    while (!this.ending.signal.aborted) {
      const id = v7()
      const began = performance.now()
      while (!(await this.sendOnce(kind, id, kind === 'registrations' ? drawAddress() : from))) {
        if (this.ending.signal.aborted && performance.now() - began > GIVE_UP_AFTER_MS) return
        await wait(AGAIN_AFTER_MS)
      }
      this.acknowledged[kind].push(id)
      this.seen.longestWait[kind] = Math.max(this.seen.longestWait[kind], (performance.now() - began) / 1000)
      await wait(PAUSE_MS[kind])
    }
  }

  /** @returns true if it was taken */
  private async sendOnce(kind: Kind, id: string, from: string): Promise<boolean> {
    const asked = kind === 'saves' ? await this.describeSave(id) : this.describe(kind, id)
    if (asked === 'saved') return true
    if (!asked) return false
    const { status, text } = await ask(this.product.port, { ...asked, from, host: this.host })
    this.count(status, text)
    // Registering an address twice is not said to whoever asks: each is sent once, and again until it is taken.
    return status >= 200 && status < 300
  }

  private count(status: number, text: string): void {
    this.seen.statuses[status || 'cut off'] = (this.seen.statuses[status || 'cut off'] ?? 0) + 1
    if (status >= 300 && status !== 503) this.seen.wrong.push({ status, text: text.slice(0, 300) })
  }

  private describe(kind: Exclude<Kind, 'saves'>, id: string): Omit<Asked, 'host'> {
    const { surveyId, activityId, contributionId, secret, siteId } = this.targets
    const related = (type: string, to: string) => ({ data: { type, id: to } })
    if (kind === 'answers') return { method: 'POST', path: '/api/v2/responses', document: createResponseDocument(surveyId, id) }
    if (kind === 'registrations') {
      const attributes = { login: 'A resident', email: `r-${id}@fault.example`, password: `quillwort-${id}` }
      return { method: 'POST', path: '/api/v2/users', document: { data: { type: 'users', attributes } } }
    }
    const browserToken = this.browsers.get(id) ?? createBrowserToken(secret, siteId)
    this.browsers.set(id, browserToken)
    if (kind === 'supports') {
      const attributes = { value: 'support', browserToken }
      const relationships = { contribution: related('contributions', contributionId) }
      return { method: 'PUT', path: `/api/v2/reactions/${id}`, document: { data: { type: 'reactions', id, attributes, relationships } } }
    }
    const attributes = {
      title: `A bench ${id}`,
      body: 'People wait here.',
      shownAs: 'anonymous',
      sendKey: 'known-to-the-sender-alone',
      browserToken,
    }
    const relationships = { activity: related('activities', activityId) }
    return { method: 'POST', path: '/api/v2/contributions', document: { data: { type: 'contributions', id, attributes, relationships } } }
  }

  /** A save names the version it changes: whoever got no answer looks first whether it was made. */
  private async describeSave(id: string): Promise<Omit<Asked, 'host'> | 'saved' | undefined> {
    const { projectId, token } = this.targets
    const path = `/api/v2/projects/${projectId}`
    const read = await ask(this.product.port, { path, token, host: this.host })
    if (read.status !== 200) {
      this.count(read.status, read.text)
      return undefined
    }
    const { data } = JSON.parse(read.text) as { data: { attributes: { titleTranslations: { en: string } }; meta: { lockVersion: number } } }
    if (data.attributes.titleTranslations.en === id) return 'saved'
    const attributes = { titleTranslations: { en: id, 'fr-CA': id } }
    const document = { data: { type: 'projects', id: projectId, attributes, meta: { lockVersion: data.meta.lockVersion } } }
    return { method: 'PATCH', path, token, document }
  }

  private async readOn(path: string): Promise<void> {
    while (!this.ending.signal.aborted) {
      const { status } = await ask(this.product.port, { path, host: this.host })
      this.seen.pages[status || 'cut off'] = (this.seen.pages[status || 'cut off'] ?? 0) + 1
      await wait(200)
    }
  }
}

/** Of one more person: few may register from one address in an hour. */
const drawAddress = (): string => `127.1.${randomInt(256)}.${randomInt(1, 255)}`

const createSeen = (): Seen => ({
  longestWait: { answers: 0, contributions: 0, supports: 0, saves: 0, registrations: 0 },
  statuses: {},
  pages: {},
  wrong: [],
})

/** An activity in which anyone may post, a contribution to support, and a project to save. */
export async function findTargets(url: string, found: Pick<Targets, 'surveyId' | 'token' | 'secret'>, product: Product): Promise<Targets> {
  const [one] = await queryAsOwner<Pick<Targets, 'siteId' | 'activityId' | 'contributionId'>>(
    url,
    `select a.site_id as "siteId", a.id as "activityId", c.id as "contributionId"
     from activities a join contributions c on c.activity_id = a.id and c.state = 'published'
     where a.kind = 'ideas' and a.status = 'published' and a.site_id = (select id from sites where slug = 'riverbend') limit 1`,
  )
  if (!one) throw new Error('The demo has no ideas to support')
  await queryAsOwner(url, `update activities set post_access = 'anyone_once', react_access = 'anyone_once' where id = $1`, [one.activityId])
  const projects = await callApi<{ data: { id: string }[] }>(product, 'GET', '/projects?filter%5Bstatus%5D=draft', found.token)
  const projectId = projects.data[0]?.id
  if (!projectId) throw new Error('The demo has no draft of a project')
  return { ...one, ...found, projectId }
}
