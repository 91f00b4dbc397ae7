import { datasets } from './city-data.ts'
import { PALETTES } from '#app/ui/palettes.ts'
import { enFr } from '../texts.ts'
import type { DemoSite } from '../types.ts'
import { aboutPeople } from './about-people.ts'
import { fernStreet } from './fern-street.ts'
import { hubs, topics } from './hubs.ts'
import { budget, waterRates } from './money.ts'
import { riverbendEvents } from './events.ts'
import { neighbourhoodBudget } from './neighbourhood-budget.ts'
import { neighbourhoodFund } from './neighbourhood-fund.ts'
import { northgateLibrary } from './northgate-library.ts'
import { pages } from './pages.ts'
import { people } from './people.ts'
import { harbourNoise, poolHours, treeCanopy } from './results.ts'
import { riverfront } from './riverfront.ts'
import { riverfrontIdeas } from './riverfront-ideas.ts'
import { electricBuses, schoolCrossings, shelterTrial, winterSidewalks } from './streets.ts'
import { trees } from './trees.ts'
import { backyardHomes, nightMarket, youthCouncil } from './unpublished.ts'
import { town } from './town.ts'

export const riverbend: DemoSite = {
  slug: 'riverbend',
  name: 'Riverbend',
  region: 'Canada',
  locale: 'en',
  keptMonths: 60,
  languages: ['en', 'fr-CA'],
  timeZone: 'America/Toronto',
  hosts: ['localhost', 'riverbend.localhost'],
  mailDomain: 'riverbend.example',
  tagline: enFr('Have your say', 'À vous la parole'),
  consentRequired: true,
  palette: PALETTES.riverbend,
  features: {
    marketplace_sms_integration: true,
    show_revised_survey: true,
    segment_analytics_admin: false,
    segment_analytics_participant: false,
    'whitelist-embed': true,
  },
  ideas: riverfrontIdeas,
  places: trees,
  verifiedIdeas: neighbourhoodFund,
  aboutPeople,
  groups: [{ name: 'French at home, under 35', profile: 'home:french,born:under-16,born:16-24,born:25-34' }],
  budget: neighbourhoodBudget,
  events: riverbendEvents,
  town,
  hubs,
  topics,
  projects: [
    fernStreet,
    northgateLibrary,
    budget,
    riverfront,
    schoolCrossings,
    winterSidewalks,
    harbourNoise,
    poolHours,
    treeCanopy,
    waterRates,
    backyardHomes,
    nightMarket,
    youthCouncil,
    shelterTrial,
    electricBuses,
  ],
  pages,
  home: {
    hero: {
      title: enFr('What should the riverfront become?', 'Que devrait devenir la rive?'),
      text: enFr(
        'Riverbend is redrawing four kilometres of shoreline. Ten minutes from you will shape what gets built first.',
        'Riverbend redessine quatre kilomètres de rive. Dix minutes de votre temps détermineront par où l’on commence.',
      ),
      picture: '/demo/riverbend/hero.svg',
      action: { label: enFr('Take the survey', 'Répondre au sondage'), href: '/projects/riverfront/surveys/riverfront-priorities' },
      second: { label: enFr('See every open project', 'Voir tous les projets ouverts'), href: '/projects?status=open' },
    },
    featured: 'fern-street',
    data: 'fern-street-counts',
    gridTitle: enFr('Open now', 'Ouverts en ce moment'),
    hubsTitle: enFr('Who is asking', 'Qui vous consulte'),
    voicesTitle: enFr('What people are saying', 'Ce que disent les gens'),
    voices: [
      {
        text: 'The ramp at Mill Lane is too steep for my chair. Fix that one first and I can reach the market on my own.',
        language: 'en',
        project: 'fern-street',
      },
      { text: 'More shade. In July there is nowhere to wait.', language: 'en', project: 'fern-street' },
      {
        text: 'Keep the reading room quiet, and open one evening a week for people who work.',
        language: 'en',
        project: 'northgate-library',
      },
      { text: 'Des enfants qui sautent du quai, comme mon père le faisait.', language: 'fr-CA', project: 'riverfront' },
      { text: 'Une brigadière au coin de Canal et Fern, et les enfants marcheraient.', language: 'fr-CA', project: 'fern-street' },
      { text: 'Put money aside for the next flood. There will be one.', language: 'en', project: 'budget' },
    ],
    before: enFr('How should Fern Street move?', 'Comment circuler rue Fern?'),
    draft: enFr('The river is yours. Where do we start?', 'La rivière est à vous. Par où commencer?'),
  },
  connectors: [{ name: 'Riverbend Open Data', portalUrl: '/demo/data/riverbend', kind: 'file' }],
  datasets,
  dataLicence: { name: 'Open Government Licence – Canada', address: 'https://open.canada.ca/en/open-government-licence-canada' },
  people,
  mailFooter: enFr(
    'City of Riverbend, because you have an account with us.',
    'Ville de Riverbend, parce que vous avez un compte chez nous.',
  ),
  mails: [
    {
      kind: 'confirm-email',
      to: 'participant',
      subject: enFr('Confirm your e-mail address', 'Confirmez votre adresse courriel'),
      text: enFr(
        'Welcome to Riverbend.\n\nYou have confirmed your address, and this message stays here as a copy.',
        'Bienvenue à Riverbend.\n\nVous avez confirmé votre adresse; ce message est conservé comme copie.',
      ),
      day: -700,
    },
    {
      kind: 'project-update',
      to: 'participant',
      subject: enFr(
        'News from a project you follow: A faster bus on Fern Street',
        'Du nouveau dans un projet que vous suivez : Un autobus plus rapide rue Fern',
      ),
      text: enFr(
        'Two more evenings, one of them in French.\n\nThe first open evening was full before seven o’clock. We have added two: {date:+3} at Northgate School, and {date:+8} at the market hall, in French.',
        'Deux soirées de plus, dont une en français.\n\nLa première soirée affichait complet avant 19 heures. Nous en ajoutons deux : le {date:+3} à l’école Northgate et le {date:+8}, en français, à la halle du marché.',
      ),
      day: -6,
    },
    {
      kind: 'review-asked',
      to: 'siteAdmin',
      subject: enFr('Ready for your review: Small homes in big backyards', 'À réviser : De petites maisons dans de grandes cours'),
      text: enFr(
        'Ingrid Schultz has finished a draft and asks you to publish it.\n\nYou find it under Projects, In review.',
        'Ingrid Schultz a terminé une ébauche et vous demande de la publier.\n\nVous la trouverez sous Projets, En révision.',
      ),
      day: -2,
    },
  ],
}
