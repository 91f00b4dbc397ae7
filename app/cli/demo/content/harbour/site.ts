import { PALETTES } from '#app/ui/palettes.ts'
import { onlyEn } from '../texts.ts'
import type { DemoSite } from '../types.ts'
import { cockleWharf } from './cockle-wharf.ts'
import { accessPanel, communityPlan, homesAboveShops, libraryOfThings, lifeguardTower, newYearsEve } from './coming.ts'
import { hubs, topics } from './hubs.ts'
import { laterNights, skatePark } from './nights-and-youth.ts'
import { pages } from './pages.ts'
import { people } from './people.ts'
import { jacarandaAvenue, oceanPool } from './pool-and-trees.ts'
import { clifftopWalk, dogBeach, foodScraps } from './results.ts'
import { wharfStories } from './wharf-stories.ts'
import { town } from './town.ts'

export const harbour: DemoSite = {
  stories: wharfStories,
  slug: 'harbour',
  name: 'Harbour',
  region: 'Sydney',
  locale: 'en',
  languages: ['en'],
  timeZone: 'Australia/Sydney',
  hosts: ['harbour.localhost'],
  mailDomain: 'harbour.example',
  tagline: onlyEn('Have your say'),
  consentRequired: false,
  palette: PALETTES.harbour,
  features: {
    marketplace_sms_integration: false,
    show_revised_survey: false,
    segment_analytics_admin: false,
    segment_analytics_participant: false,
    'whitelist-embed': true,
  },
  town,
  hubs,
  topics,
  projects: [
    cockleWharf,
    oceanPool,
    jacarandaAvenue,
    laterNights,
    skatePark,
    dogBeach,
    clifftopWalk,
    foodScraps,
    libraryOfThings,
    communityPlan,
    homesAboveShops,
    newYearsEve,
    accessPanel,
    lifeguardTower,
  ],
  pages,
  home: {
    hero: {
      title: onlyEn('Where should the ferry land?'),
      text: onlyEn('Cockle Point is getting a new wharf, once in a hundred years. Six minutes from you decides what is on it.'),
      picture: '/demo/harbour/hero.svg',
      action: { label: onlyEn('Take the survey'), href: '/projects/cockle-wharf/surveys/your-ferry' },
      second: { label: onlyEn('See every open project'), href: '/projects?status=open' },
    },
    featured: 'cockle-wharf',
    poll: { project: 'later-nights', survey: 'which-night' },
    gridTitle: onlyEn('Open now'),
    hubsTitle: onlyEn('Who is asking'),
    voicesTitle: onlyEn('What people are saying'),
    voices: [
      {
        text: 'I have lived here fifty years and have never once been able to get my wheelchair onto a ferry.',
        language: 'en',
        project: 'cockle-wharf',
      },
      { text: 'Keep the jumping spot. Every kid here has jumped off that pole.', language: 'en', project: 'cockle-wharf' },
      { text: 'I learned at 43. The ladies’ class. I cried.', language: 'en', project: 'ocean-pool' },
      { text: 'Natives bring birds. Purple brings people. I would rather have birds.', language: 'en', project: 'jacaranda-avenue' },
      { text: 'A labrador who steals towels. He knows who he is.', language: 'en', project: 'dogs-at-little-beach' },
      { text: 'I start at four in the morning at the fish market.', language: 'en', project: 'later-nights' },
    ],
    before: onlyEn('Whose beach is Little Beach?'),
    draft: onlyEn('One wharf, a hundred years'),
  },
  connectors: [],
  datasets: [],
  dataLicence: { name: 'CC BY 4.0', address: 'https://creativecommons.org/licenses/by/4.0/' },
  people,
  mailFooter: onlyEn('Harbour Council, because you have an account with us.'),
  mails: [
    {
      kind: 'project-update',
      to: 'participant',
      subject: onlyEn('News from a project you follow: A ferry wharf for Cockle Point'),
      text: onlyEn(
        'The first thousand: weekends and steps.\n\nMore than a thousand of you have answered. We have asked the state for a trial ferry on eight Sundays this summer.',
      ),
      day: -5,
    },
    {
      kind: 'review-asked',
      to: 'siteAdmin',
      subject: onlyEn('Ready for your review: Homes above the shops'),
      text: onlyEn('Nick Vella has finished a draft and asks you to publish it.\n\nYou find it under Projects, In review.'),
      day: -4,
    },
  ],
}
