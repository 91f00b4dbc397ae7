/** What a measurement should reach, and what other products reach with such work on such a machine, as far as it was published. */
export interface Goal {
  /** As people say it; its unit is requests per second unless another limit is given. */
  work: string
  /** Requests per second. */
  perSecond?: number
  /** The part of its baseline's rate. */
  ofBaseline?: number
  /** Milliseconds: less is better. Of processor time where the work says so: of the web process and the database together. */
  withinMs?: number
  /** Megabytes: less is better. */
  withinMb?: number
  peers?: Readonly<Record<string, number>>
}

/** By the name of the measurement. */
export const GOALS: Readonly<Record<string, Goal>> = {
  'kept homepage': { work: 'Homepage for everybody, from the page store', ofBaseline: 0.6, peers: { 'Payload, prerendered': 800 } },
  'rendered homepage': { work: 'Homepage, signed in', perSecond: 300, peers: { Payload: 36 } },
  'rendered page': { work: 'A project’s page, signed in', perSecond: 300 },
  'largest paint': { work: 'Largest contentful paint of the slowest page on a phone', withinMs: 1500, peers: { Decidim: 2500 } },
  'API read': { work: 'API: 20 projects, for a site administrator', perSecond: 1600, peers: { Payload: 542, Strapi: 438, Directus: 372 } },
  'API read by visitors': { work: 'API: 20 projects, for visitors', perSecond: 2500 },
  'API read of one project': { work: 'API: one project', perSecond: 3000, peers: { Payload: 1091, Strapi: 947 } },
  'storm of responses': { work: 'API: answers to a survey are sent', perSecond: 1000, peers: { Strapi: 225, Directus: 184 } },
  'storm of ballots': { work: 'API: ballots on a budget are cast', perSecond: 1000 },
  'API write of drafts': { work: 'API: a draft is saved', perSecond: 1000, peers: { Strapi: 225, Directus: 184 } },
  'API write of projects': { work: 'API: a project is changed', perSecond: 200, peers: { Strapi: 225, Directus: 184 } },
  'pages: surveys': { work: 'Processor time of a survey’s first page, for visitors and participants, the slowest', withinMs: 0.3 },
  'pages: people with a role': { work: 'Processor time of a participants’ page for people with a role, the slowest', withinMs: 2 },
  'pages: search': { work: 'Processor time of a search, the slowest', withinMs: 4 },
  'pages: account': { work: 'Processor time of an account page, the slowest', withinMs: 3 },
  'pages: administration': { work: 'Processor time of a screen of the administration, the slowest', withinMs: 6 },
  'pages: lists of the API': { work: 'Processor time of an API list of 25, for a site administrator, the slowest', withinMs: 1.2 },
  memory: { work: 'Memory of a web process at most, while pages and searches are rendered', withinMb: 450 },
  'themes: time': { work: 'Themes suggested for 100,000 written answers', withinMs: 60_000 },
  'themes: memory': { work: 'Memory at most while themes are suggested for 100,000 written answers', withinMb: 512 },
  'people: list': { work: 'API: 50 of 1,000,000 people, by three answers and sorted, 95th percentile', withinMs: 60 },
  'people: group': { work: 'API: a group by rule of 100,000 among 1,000,000 people, its size and first members', withinMs: 2000 },
  dashboard: { work: 'Dashboard of a site administrator', perSecond: 200 },
}
