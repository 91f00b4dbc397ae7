import type { FeatureName, SiteFeatureName } from '#app/features/feature-switches/feature-switches.schema.ts'
import type { Boundaries, DatasetChart, DatasetColumn, PortalKind } from '#app/features/opencities/opencities.schema.ts'
import type { Definition, Page, SurveyAccess, SurveyStatus, SurveyVariant } from '#app/features/surveys/surveys.schema.ts'
import type { Language } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { Theme } from '#app/ui/theme.ts'

/**
 * The demo's content as plain data. Dates are days from the moment of seeding (negative: ago), so that the demo is always alive.
 * Texts may hold `{date:+9}`, `{month:-60}` and `{year:+1}`, which become that day, month or year in the text's language.
 */
export interface DemoSite {
  slug: string
  name: string
  region: string
  locale: Language
  languages: Language[]
  timeZone: string
  hosts: string[]
  /** Domain of the demo accounts and of the site's own addresses. */
  mailDomain: string
  tagline: Translated
  consentRequired: boolean
  palette: Theme
  features: Record<FeatureName | SiteFeatureName, boolean>
  hubs: DemoHub[]
  topics: { slug: string; title: Translated }[]
  projects: DemoProject[]
  pages: DemoPage[]
  home: DemoHome
  connectors: { name: string; portalUrl: string; kind: PortalKind }[]
  datasets: DemoDataset[]
  dataLicence: { name: string; address: string }
  people: DemoPeople
  mails: DemoMail[]
  /** Who writes the site's mails, in one line at their foot. */
  mailFooter: Translated
}

/** A dataset of a connector; its rows are copied by the product itself once it runs. */
export interface DemoDataset {
  slug: string
  /** Address of its connector. */
  connector: string
  file: string
  /** The project whose page shows it; null where it is the site's own. */
  project: string | null
  title: Translated
  description: Translated
  columns: Omit<DatasetColumn, 'shown'>[]
  chart: DatasetChart | null
  /** Its shapes are the areas of the site. */
  boundaries?: Boundaries
}

export interface DemoHub {
  slug: string
  title: Translated
  summary: Translated
  body: Translated
  picture: string
  pictureAlt: Translated
  contact: string
}

export interface DemoProject {
  slug: string
  hub: string | null
  topic: string
  title: Translated
  summary: Translated
  body: Translated
  picture: string
  pictureAlt: Translated
  status: 'draft' | 'in_review' | 'scheduled' | 'published' | 'archived'
  visibility?: 'public' | 'members' | 'hidden' | 'link'
  featured?: boolean
  opens?: number
  closes?: number
  /** For a scheduled project: when it will be published. */
  publishes?: number
  archived?: number
  place?: { address: Translated; lat: number; lng: number }
  team: { name: string; role: Translated; email: string }[]
  faqs?: { question: Translated; answer: Translated }[]
  outcome?: Translated
  dates: { title: Translated; detail?: Translated; day: number; precision?: 'time' | 'day' | 'month' | 'season' }[]
  documents: { title: Translated; file: string; language: Language }[]
  updates: { slug: string; title: Translated; body: Translated; day: number }[]
  surveys: DemoSurvey[]
}

export interface DemoSurvey {
  slug: string
  title: Translated
  intro: Translated
  thanks: Translated
  status: SurveyStatus
  access?: SurveyAccess
  anonymous?: boolean
  variant?: SurveyVariant
  resultsPublic?: boolean
  minutes: number
  pages: Page[]
  endings?: Definition['endings']
  quotas?: Definition['quotas']
  /** Words by which a text begins it, and how many of its answers came by text. */
  byText?: { words: Partial<Record<Language, string>>; share: number }
  /** Absent where nobody could have answered yet. */
  crowd?: Crowd
}

/** Who answers a survey, and how. */
export interface Crowd {
  people: number
  /** What an average person answers: weights of one choice, chances of each of several, the middle of a rating, chance of writing. */
  usual: Record<string, Record<string, number> | number>
  /** Kinds of people, each answering in its own way: factors on weights and chances, a shift on ratings. */
  kinds: CrowdKind[]
  /** What people write, by question (`<question>.other` for the words beside "other") and kind; `all` is open to every kind. */
  words: Record<string, WordPool>
}

export interface CrowdKind {
  name: string
  share: number
  leans?: Record<string, Record<string, number> | number>
}

export type WordPool = Partial<Record<string, Partial<Record<Language, string[]>>>>

export interface DemoPage {
  slug: string
  kind: 'page' | 'legal'
  title: Translated
  body: Translated
}

interface DemoHome {
  hero: {
    title: Translated
    text: Translated
    picture: string
    action: { label: Translated; href: string }
    second: { label: Translated; href: string }
  }
  /** Slug of the project shown large. */
  featured: string
  /** Slug of the dataset drawn on the page. */
  data?: string
  gridTitle: Translated
  hubsTitle: Translated
  voicesTitle: Translated
  voices: { text: string; language: Language; project: string }[]
  /** An earlier and a coming wording of the hero, as older revision and as draft. */
  before: Translated
  draft: Translated
}

export interface DemoPeople {
  first: string[]
  last: string[]
  /** How people on this site divide into languages. */
  languages: Partial<Record<Language, number>>
  /** Names of the four demo accounts. */
  accounts: { siteAdmin: string; hubAdmin: string; projectAdmin: string; participant: string }
  /** What the demo's administrators hold, by slug. */
  hubOfAdmin: string
  projectsOfAdmin: [string, string]
}

interface DemoMail {
  kind: 'confirm-email' | 'project-update' | 'review-asked'
  to: 'participant' | 'siteAdmin'
  subject: Translated
  text: Translated
  day: number
}
