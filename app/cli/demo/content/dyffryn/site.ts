import { dyffrynEvents } from './digwyddiadau.ts'
import { PALETTES } from '#app/ui/palettes.ts'
import { cyEn } from '../texts.ts'
import type { DemoSite } from '../types.ts'
import { aboutPeople } from './about-people.ts'
import { cyllideb, lleIrAfon } from './afon-a-chyllideb.ts'
import { arwyddion, cynllunDatblygu, fforwmIeuenctid, gwylYCwm, llyfrgelloedd, strategaethGymraeg } from './ar-y-gweill.ts'
import { bwsYCwm } from './bws-y-cwm.ts'
import { ailgylchu, henReilffordd, strydFawr } from './canlyniadau.ts'
import { busQuestions } from './cwestiynau.ts'
import { datasets } from './data.ts'
import { hubs, topics } from './hubs.ts'
import { pages } from './pages.ts'
import { people } from './people.ts'
import { riverIdeas } from './syniadau.ts'
import { capelSeion, ysgolTreWen } from './ysgol-a-chapel.ts'
import { town } from './town.ts'

export const dyffryn: DemoSite = {
  aboutPeople,
  events: dyffrynEvents,
  slug: 'dyffryn',
  name: 'Dyffryn',
  region: 'United Kingdom',
  locale: 'cy',
  languages: ['cy', 'en'],
  timeZone: 'Europe/London',
  hosts: ['dyffryn.localhost'],
  mailDomain: 'dyffryn.example',
  tagline: cyEn('Dweud eich dweud', 'Have your say'),
  consentRequired: true,
  palette: PALETTES.dyffryn,
  features: {
    marketplace_sms_integration: false,
    show_revised_survey: true,
    segment_analytics_admin: false,
    segment_analytics_participant: false,
    'whitelist-embed': false,
  },
  ideas: riverIdeas,
  questions: busQuestions,
  town,
  hubs,
  topics,
  projects: [
    bwsYCwm,
    ysgolTreWen,
    capelSeion,
    lleIrAfon,
    cyllideb,
    strydFawr,
    ailgylchu,
    henReilffordd,
    llyfrgelloedd,
    strategaethGymraeg,
    cynllunDatblygu,
    gwylYCwm,
    fforwmIeuenctid,
    arwyddion,
  ],
  pages,
  home: {
    hero: {
      title: cyEn('Pa mor hwyr ddylai’r bws olaf fod?', 'How late should the last bus be?'),
      text: cyEn(
        'Mae’r cwm yn ysgrifennu ei amserlen ei hun. Chwe munud gennych chi, a bydd y bws yn dod yn amlach.',
        'The valley is writing its own timetable. Six minutes from you, and the bus comes more often.',
      ),
      picture: '/demo/dyffryn/hero.svg',
      action: { label: cyEn('Ateb yr arolwg', 'Take the survey'), href: '/projects/bws-y-cwm/surveys/eich-taith' },
      second: { label: cyEn('Gweld pob prosiect agored', 'See every open project'), href: '/projects?status=open' },
    },
    featured: 'bws-y-cwm',
    data: 'arosfannau-bws',
    gridTitle: cyEn('Ar agor nawr', 'Open now'),
    hubsTitle: cyEn('Pwy sy’n gofyn', 'Who is asking'),
    voicesTitle: cyEn('Beth mae pobl yn ei ddweud', 'What people are saying'),
    voices: [
      { text: 'Rwy’n 81 ac wedi rhoi’r gorau i yrru. Y bws yw fy nghoesau i.', language: 'cy', project: 'bws-y-cwm' },
      { text: 'Ches i mo’r swydd achos doedd dim bws adref.', language: 'cy', project: 'bws-y-cwm' },
      { text: 'The river has been on Cae’r Bont four times since I moved here.', language: 'en', project: 'ysgol-tre-wen' },
      { text: 'Cymanfa Ganu 1974, a’r galeri’n crynu.', language: 'cy', project: 'capel-seion' },
      { text: 'We do not speak Welsh at home and we chose it for the girls. Best thing we did.', language: 'en', project: 'ysgol-tre-wen' },
      { text: 'Y sŵn. Does neb yn eich paratoi am y sŵn.', language: 'cy', project: 'lle-i-r-afon' },
    ],
    before: cyEn('Beth nesaf i Gapel Seion?', 'What next for Capel Seion?'),
    draft: cyEn('Dewch ar y bws gyda ni', 'Come on the bus with us'),
  },
  connectors: [{ name: 'Data Dyffryn', portalUrl: '/demo/data/dyffryn', kind: 'file' }],
  datasets,
  dataLicence: {
    name: 'Open Government Licence v3.0',
    address: 'https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/',
  },
  people,
  mailFooter: cyEn('Cyngor Dyffryn, am fod gennych gyfrif gyda ni.', 'Dyffryn Council, because you have an account with us.'),
  mails: [
    {
      kind: 'project-update',
      to: 'participant',
      subject: cyEn('Newyddion am brosiect rydych yn ei ddilyn: Bws y Cwm', 'News from a project you follow: The valley bus'),
      text: cyEn(
        'Mil o atebion, a llawer o law.\n\nMae dau beth yn codi dro ar ôl tro: bws adref o’r gwaith ar ôl chwech, a tho dros yr arhosfan.',
        'A thousand answers, and a lot of rain.\n\nTwo things come back again and again: a bus home from work after six, and a roof over the stop.',
      ),
      day: -4,
    },
    {
      kind: 'review-asked',
      to: 'siteAdmin',
      subject: cyEn(
        'Yn barod i’w adolygu: Ble bydd y chwe chant o gartrefi nesaf?',
        'Ready for your review: Where will the next six hundred homes be?',
      ),
      text: cyEn(
        'Mae Iolo Parry wedi gorffen drafft ac yn gofyn i chi ei gyhoeddi.',
        'Iolo Parry has finished a draft and asks you to publish it.',
      ),
      day: -3,
    },
  ],
}
