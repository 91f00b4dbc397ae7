import type { LayerPattern, ReactionChoice, StageKind, StatusCode, Track } from '#app/lib/vocabulary/contributions.ts'
import type { ExtraQuestion } from '#app/features/contributions/record/extra-question.schema.ts'
import type { FeatureName, SiteFeatureName } from '#app/features/feature-switches/feature-switches.schema.ts'
import type { Boundaries, DatasetChart, DatasetColumn } from '#app/features/opencities/opencities.schema.ts'
import type { SignUpQuestion } from '#app/features/events/sign-up-questions.schema.ts'
import type { Answers, Definition, Page } from '#app/features/surveys/surveys.schema.ts'
import type { Position } from '#app/lib/geometry.ts'
import type { Language } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { DefaultRule } from '#app/lib/vocabulary/moderation.ts'
import type { PortalKind } from '#app/lib/vocabulary/opencities.ts'
import type { ProfileQuestionType } from '#app/lib/vocabulary/profile.ts'
import type { SurveyAccess, SurveyStatus, SurveyVariant } from '#app/lib/vocabulary/surveys.ts'
import type { Theme } from '#app/ui/theme.ts'

/**
 * The demo's content as plain data. Dates are days from the moment of seeding (negative: ago), so that the demo always looks current. Texts
 * may contain `{date:+9}`, `{month:-60}` and `{year:+1}`, which become that day, month or year in the text's language.
 */
export interface DemoSite {
  /** What people propose, if one of its projects asks for ideas. */
  ideas?: DemoIdeas
  /** What people put on its map, if one of its projects asks for places. */
  places?: DemoPlaces
  /** The streets of its map. */
  town: DemoTown
  /** What people ask its team, if one of its projects takes questions. */
  questions?: DemoQuestions
  /** What verified people propose, if one of its projects asks for that. */
  verifiedIdeas?: DemoVerifiedIdeas
  /** What people are asked about themselves. */
  aboutPeople?: readonly DemoProfileQuestion[]
  groups?: readonly DemoGroup[]
  /** A vote on money, last year's and this one's, if one of its projects has one. It asks for the same people. */
  budget?: DemoBudget
  /** What people can sign up for. */
  events?: readonly DemoEvent[]
  /** What people lived through, with pictures, if one of its projects asks for stories. */
  stories?: DemoStories
  slug: string
  name: string
  region: string
  /** For how many months personal data is kept after a project closes. */
  keptMonths?: number
  locale: Language
  languages: Language[]
  timeZone: string
  hosts: string[]
  /** Domain of the demo accounts and of the site's own email addresses. */
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
  /** One line at the foot of every mail: who sends it. */
  mailFooter: Translated
}

/** A dataset of a connector; Parley copies its rows once it runs. */
export interface DemoDataset {
  slug: string
  /** Address of its connector. */
  connector: string
  file: string
  /** Slug of the project whose page shows it; null for the site itself. */
  project: string | null
  title: Translated
  description: Translated
  columns: Omit<DatasetColumn, 'shown'>[]
  chart: DatasetChart | null
  /** Set if its shapes are the site's areas. */
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
  /** Keywords that start it by text message, and the share of responses that came that way. */
  byText?: { words: Partial<Record<Language, string>>; share: number }
  /** Absent if the survey has not opened yet. */
  crowd?: Crowd
  /** The site's residents are among those who answered. */
  answeredByResidents?: true
}

/** Who answers a survey, and how. */
export interface Crowd {
  people: number
  /** An average person's answers: weights for one choice, probabilities for several and for writing, the mean of a rating. */
  usual: Record<string, Record<string, number> | number>
  /** Kinds of people who answer differently: factors on weights and probabilities, an offset on ratings. */
  kinds: CrowdKind[]
  /** Written answers by question (`<question>.other` for the text beside "other") and kind; `all` is for every kind. */
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
  /** Slug of the featured project. */
  featured: string
  /** Slug of the dataset shown on the page. */
  data?: string
  /** Slugs of a project and its survey of one choice, answered on the page. */
  poll?: { project: string; survey: string }
  gridTitle: Translated
  hubsTitle: Translated
  voicesTitle: Translated
  voices: { text: string; language: Language; project: string }[]
  /** An older and a future wording of the hero: an old revision and the draft. */
  before: Translated
  draft: Translated
}

/** A group of people by what they said about themselves. */
interface DemoGroup {
  name: string
  /** As `filter[profile]` of the API has it. */
  profile: string
}

export interface DemoPeople {
  first: string[]
  last: string[]
  /** Share of each language among the site's people. */
  languages: Partial<Record<Language, number>>
  /** How many more have an account, have said something about themselves, and have answered one survey at most. */
  residents?: number
  /** Names of the four demo accounts. */
  accounts: { siteAdmin: string; hubAdmin: string; projectAdmin: string; participant: string }
  /** Slugs of the hub and projects that the demo's administrators manage. */
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

/** What somebody proposes: title, text, category, supports, and the name they chose to show. */
export interface DemoIdea {
  language: Language
  title: string
  body: string
  category: string
  supports: number
  /** Where people are asked whether they agree. */
  disagrees?: number
  name?: string
  replies?: readonly [name: string, text: string][]
  state?: 'held' | 'declined'
}

/** Stages of a project and an activity with ideas. Times are days from today. */
export interface DemoIdeas {
  project: string
  /** Support, unless it says otherwise. */
  reactions?: ReactionChoice
  stages: readonly { title: Translated; summary: Translated; kind: StageKind; starts: number; ends: number }[]
  activity: { slug: string; title: Translated; intro: Translated; categories: { id: string; title: Translated }[] }
  answers: readonly { of: string; status: StatusCode; days: number; text: Translated; team: Translated }[]
  declinedReason: Translated
  /** What readers say breaks a rule. Days are from today. */
  reports?: readonly { of: string; rule: DefaultRule; words: string; day: number; hasAccount?: boolean }[]
  /** The author of what was declined asks for another look, in these words. */
  appeal?: { words: string; day: number }
  /** In the order they were sent. */
  ideas: readonly DemoIdea[]
}

/** An event that people sign up for. */
export interface DemoEvent {
  /** Slug of its project. */
  project: string
  slug: string
  title: Translated
  description: Translated
  place: Translated
  accessInfo: Translated
  questions?: SignUpQuestion[]
  /** What the person with this number, from 0 on, answered. */
  answer?: (number: number) => Answers
  day: number
  hour: number
  /** How long it takes. */
  hours: number
  capacity: number
  /** Those beyond the capacity wait. */
  signUps: number
}

/** An activity for people on a list of so many cards. */
/** Costs are in whole units of the currency; one list of options for each pot. */
export interface DemoBudget {
  /** The project's slug. */
  project: string
  title: (year: number) => Translated
  intro: Translated
  pots: { title: Translated; amount: number }[]
  lastYear: {
    ballots: number
    notes: { done: Translated; underWay: Translated; planned: Translated }
    /** `share` of the pot's voters who choose it, about. */
    options: { title: Translated; at?: Position; cost: number; share: number }[][]
  }
  /** `at` is where it lies on the map, if it lies at one place. */
  thisYear: { options: { title: Translated; text: Translated; place: string; at?: Position; cost: number }[][] }
}

export interface DemoVerifiedIdeas {
  project: string
  activity: { slug: string; title: Translated; intro: Translated }
  list: { name: Translated; cards: number }
  ideas: readonly { title: string; body: string; language: Language; supports: number }[]
}

/** A question about people, and how the demo's people have answered it. */
export interface DemoProfileQuestion {
  key: string
  type: ProfileQuestionType
  sensitive?: true
  label: Translated
  purpose: Translated
  options?: readonly { id: string; label: Translated; share: number }[]
  retentionMonths: number
  /** The share of people who have answered. */
  answered: number
  /** Ages of the people who give their year of birth. */
  years?: { youngest: number; oldest: number }
}

interface DemoWay {
  name?: string
  middle: readonly Position[]
}

/** What a town's map is made of. */
export interface DemoTown {
  /** Shown on every map. */
  credit: string
  /** The dataset whose shapes are the quarters. */
  areas?: string
  quarters: readonly {
    name: string
    /** Those that the site's stories name. */
    streets: readonly string[]
    /** Of its streets, in degrees. */
    angle: number
    /** Its houses lie within these metres of a point; without one, everywhere in the area of its name. */
    metres?: number
    at?: Position
  }[]
  /** Of which the names of all other streets are put together. */
  otherStreets: {
    first: readonly string[]
    last: readonly string[]
    isLastFirst?: boolean
    french?: { quarter: string; last: readonly string[]; first: readonly string[] }
  }
  waters: readonly (DemoWay & { name: string; names?: Record<string, string>; metres: number })[]
  streams: readonly DemoWay[]
  parks: readonly { name: string; at: Position; metres: readonly [wide: number, high: number] }[]
  mains: readonly (DemoWay & { kind: 'primary' | 'secondary' | 'tertiary' })[]
  rails: readonly DemoWay[]
}

interface DemoPlaceSubject {
  category: string
  /** With `{street}`. */
  title: string
  body: string
}

/** An activity with places, whose contributions are put together from these texts. */
export interface DemoPlaces {
  project: string
  /** The dataset whose shapes are the areas; the places lie in them. */
  boundaries: string
  activity: {
    slug: string
    title: Translated
    intro: Translated
    categories: { id: string; title: Translated }[]
    fields: readonly ExtraQuestion[]
  }
  /** What some answer to the question for the team. */
  care: Partial<Record<Language, readonly string[]>>
  count: number
  /** What lies behind the pins. */
  layer: {
    name: Translated
    pattern: LayerPattern
    columns: readonly string[]
    features: readonly { cells: readonly string[]; area: Track }[]
  }
  /** By the name of their area. */
  streets: Record<string, readonly string[]>
  subjects: Partial<Record<Language, readonly DemoPlaceSubject[]>>
  endings: Partial<Record<Language, readonly string[]>>
  names: readonly string[]
  team: Translated
  answers: readonly { status: StatusCode; text: Translated }[]
  declinedReason: Translated
}

/** An activity with stories. Days are from today. */
export interface DemoStories {
  project: string
  activity: { slug: string; title: Translated; intro: Translated; categories: { id: string; title: Translated }[] }
  /** In the order they were sent. */
  stories: readonly {
    title: string
    body: string
    category: string
    name?: string
    day: number
    supports: number
    replies?: readonly [name: string, text: string][]
    /** Files in `demo/pictures`. */
    photos: readonly { file: string; alt: string }[]
    isHeld?: boolean
    /** So that whoever signs in with the demo's account has one. */
    isFromDemoParticipant?: boolean
  }[]
}

/** An activity with questions. Days are from today. */
export interface DemoQuestions {
  project: string
  activity: { slug: string; title: Translated; intro: Translated; categories: { id: string; title: Translated }[] }
  team: Translated
  declinedReason: Translated
  /** In the order they were asked. */
  questions: readonly {
    language: Language
    category: string
    title: string
    body: string
    name?: string
    day: number
    /** How many others ask the same. */
    joined: number
    answer?: { day: number; text: Translated; isPrivate?: boolean }
    isAssigned?: boolean
    /** Given to somebody, and not answered in time. */
    isLate?: boolean
    isDeclined?: boolean
    isHeld?: boolean
    isFrequentlyAsked?: boolean
    /** So that whoever signs in with the demo's account sees an answer of their own. */
    isFromDemoParticipant?: boolean
  }[]
}
