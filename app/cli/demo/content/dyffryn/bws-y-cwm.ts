import { buildEveryQuestionSurvey } from '../every-question.ts'
import { longText, noneOption, oneChoice, option, otherOption, page, rating, severalChoices, shortText } from '../questions.ts'
import { cyEn } from '../texts.ts'
import type { DemoProject, DemoSurvey } from '../types.ts'
import { bwsYCwmWords } from './bws-y-cwm-words.ts'

const survey: DemoSurvey = {
  slug: 'eich-taith',
  title: cyEn('Eich taith chi', 'Your journey'),
  intro: cyEn(
    'Saith cwestiwn am sut rydych chi’n teithio a beth fyddai’n gwneud y bws yn werth ei ddal. Bydd eich atebion gyda’r cwmni bws ar {date:+29}.',
    'Seven questions about how you travel and what would make the bus worth catching. The bus company will have your answers on {date:+29}.',
  ),
  thanks: cyEn(
    'Diolch. Byddwn yn cyhoeddi’r amserlen ddrafft, a beth newidiodd o’ch herwydd chi, erbyn {date:+45}.',
    'Thank you. We will publish the draft timetable, and what changed because of you, by {date:+45}.',
  ),
  status: 'published',
  access: 'anyone',
  minutes: 6,
  pages: [
    page(
      'p1',
      cyEn('Heddiw', 'Today'),
      oneChoice(
        'q_sut',
        cyEn('Sut ydych chi’n teithio ar hyd y cwm fel arfer?', 'How do you usually travel along the valley?'),
        [
          option('bws', cyEn('Ar y bws', 'By bus')),
          option('car', cyEn('Mewn car', 'By car')),
          option('lifft', cyEn('Lifft gan rywun arall', 'A lift from someone else')),
          option('beic', cyEn('Ar feic', 'By bicycle')),
          option('cerdded', cyEn('Cerdded', 'On foot')),
          otherOption(cyEn('Ffordd arall, nodwch', 'Another way, please say')),
        ],
        { required: true },
      ),
      oneChoice('q_ble', cyEn('Ble ydych chi’n mynd amlaf?', 'Where do you go most often?'), [
        option('gwaith', cyEn('I’r gwaith', 'To work')),
        option('ysgol', cyEn('I’r ysgol neu’r coleg', 'To school or college')),
        option('siopa', cyEn('I siopa', 'To the shops')),
        option('iechyd', cyEn('At y meddyg neu i’r ysbyty', 'To the doctor or the hospital')),
        option('teulu', cyEn('At deulu a ffrindiau', 'To family and friends')),
      ]),
      rating(
        'q_heddiw',
        cyEn('Pa mor dda mae’r bws yn gweithio i chi heddiw?', 'How well does the bus work for you today?'),
        cyEn('Ddim o gwbl', 'Not at all'),
        cyEn('Yn dda iawn', 'Very well'),
      ),
    ),
    page(
      'p2',
      cyEn('Yfory', 'Tomorrow'),
      severalChoices(
        'q_gwella',
        cyEn('Beth ddylai ddod gyntaf?', 'What should come first?'),
        [
          option('hanner', cyEn('Bws bob hanner awr', 'A bus every half hour')),
          option('hwyr', cyEn('Bws olaf am un ar ddeg y nos', 'A last bus at eleven at night')),
          option('sul', cyEn('Bysiau ar ddydd Sul', 'Buses on Sundays')),
          option('ysbyty', cyEn('Yn syth i’r ysbyty, heb newid', 'Straight to the hospital, without a change')),
          option('tocyn', cyEn('Un tocyn ar gyfer pob bws a thrên', 'One ticket for every bus and train')),
          option('cysgod', cyEn('Lloches a golau ym mhob arhosfan', 'A shelter and a light at every stop')),
          option('beiciau', cyEn('Lle i feiciau ar y bws', 'Room for bicycles on the bus')),
          noneOption(cyEn('Dim un o’r rhain', 'None of these')),
        ],
        { required: true, maxChoices: 3 },
      ),
      oneChoice(
        'q_wedyn',
        cyEn(
          'Petai’r bws yn dod bob hanner awr tan un ar ddeg, fyddech chi’n ei ddefnyddio?',
          'If the bus came every half hour until eleven, would you use it?',
        ),
        [
          option('pob', cyEn('Bob dydd', 'Every day')),
          option('weithiau', cyEn('Weithiau', 'Sometimes')),
          option('argyfwng', cyEn('Dim ond pan na fydd y car ar gael', 'Only when I am without the car')),
          option('na', cyEn('Na fyddwn', 'No')),
        ],
        { required: true, ordered: true },
      ),
      longText('q_dweud', cyEn('Beth arall ddylem ni ei wybod?', 'What else should we know?')),
      shortText('q_arhosfan', cyEn('Pa arhosfan ydych chi’n ei defnyddio?', 'Which stop do you use?')),
    ),
  ],
  crowd: {
    people: 1247,
    usual: {
      q_sut: { o_bws: 24, o_car: 47, o_lifft: 13, o_beic: 5, o_cerdded: 10, o_other: 1 },
      q_ble: { o_gwaith: 34, o_ysgol: 18, o_siopa: 21, o_iechyd: 12, o_teulu: 15 },
      q_heddiw: 2.4,
      q_gwella: { o_hanner: 0.55, o_hwyr: 0.44, o_sul: 0.36, o_ysbyty: 0.3, o_tocyn: 0.31, o_cysgod: 0.33, o_beiciau: 0.09, o_none: 0.03 },
      q_wedyn: { o_pob: 29, o_weithiau: 41, o_argyfwng: 18, o_na: 12 },
      q_dweud: 0.4,
      q_arhosfan: 0.32,
    },
    kinds: [
      {
        name: 'teithiwr',
        share: 27,
        leans: {
          q_sut: { o_bws: 9, o_car: 0.2 },
          q_gwella: { o_hanner: 1.3, o_cysgod: 1.4 },
          q_wedyn: { o_pob: 3, o_na: 0.1 },
          q_heddiw: -0.2,
          q_arhosfan: 2,
        },
      },
      {
        name: 'ifanc',
        share: 22,
        leans: {
          q_sut: { o_lifft: 4, o_car: 0.3 },
          q_ble: { o_ysgol: 6 },
          q_gwella: { o_hwyr: 1.7, o_sul: 1.3, o_ysbyty: 0.2 },
          q_wedyn: { o_pob: 2 },
        },
      },
      {
        name: 'hyn',
        share: 20,
        leans: { q_ble: { o_iechyd: 5, o_gwaith: 0.1 }, q_gwella: { o_ysbyty: 2.2, o_hwyr: 0.4, o_cysgod: 1.3 }, q_heddiw: 0.4 },
      },
      {
        name: 'gyrrwr',
        share: 31,
        leans: {
          q_sut: { o_car: 6, o_bws: 0.1 },
          q_wedyn: { o_na: 2.4, o_pob: 0.3 },
          q_gwella: { o_none: 3, o_tocyn: 1.2 },
          q_heddiw: -0.3,
        },
      },
    ],
    words: bwsYCwmWords,
  },
}

export const bwsYCwm: DemoProject = {
  slug: 'bws-y-cwm',
  hub: 'trafnidiaeth',
  topic: 'trafnidiaeth',
  title: cyEn('Bws y Cwm: bob hanner awr, tan un ar ddeg', 'The valley bus: every half hour, until eleven'),
  summary: cyEn(
    'Mae’r cytundeb bysiau’n dod i ben y flwyddyn nesaf. Helpwch ni i ysgrifennu’r un newydd.',
    'The bus contract ends next year. Help us to write the new one.',
  ),
  body: cyEn(
    `Mae bws 14 yn cario 2,300 o bobl y dydd rhwng Blaen-y-Nant a Phont-yr-Afon. Mae’n dod bob awr, mae’r un olaf yn gadael am chwarter wedi chwech, ac ar ddydd Sul nid yw’n dod o gwbl.

Y flwyddyn nesaf daw’r cytundeb i ben, ac am y tro cyntaf y cyngor fydd yn penderfynu ble mae’r bysiau’n mynd a phryd. Gallwn dalu am fws bob hanner awr tan un ar ddeg y nos, chwe diwrnod yr wythnos, neu am fws bob awr saith diwrnod yr wythnos. Ni allwn dalu am y cyfan.

## Beth sydd wedi’i benderfynu
- Bydd pob bws yn isel, yn drydanol ac yn ddwyieithog.
- Bydd tocyn plentyn yn costio punt, i bobman.

## Beth sy’n agored
- Oriau’r bws cyntaf a’r bws olaf.
- Dydd Sul, ynteu bob hanner awr yn ystod yr wythnos.
- A ddylai’r bws alw yn yr ysbyty ar bob taith.

## Beth fydd yn digwydd i’ch atebion
Bydd y cwmnïau sy’n cynnig am y cytundeb yn cael y cyfansymiau, a’r tîm yn darllen pob gair. Byddwn yn dweud beth newidiodd o’ch herwydd chi.`,
    `Bus 14 carries 2,300 people a day between Blaen-y-Nant and Pont-yr-Afon. It comes every hour, the last one leaves at a quarter past six, and on Sundays it does not come at all.

Next year the contract ends, and for the first time the council decides where the buses go and when. We can pay for a bus every half hour until eleven at night, six days a week, or for a bus every hour on all seven days. We cannot pay for everything.

## What is decided
- Every bus will be low-floor, electric and bilingual.
- A child’s ticket will cost one pound, to anywhere.

## What is open
- The hours of the first bus and the last.
- Sundays, or every half hour during the week.
- Whether the bus should call at the hospital on every run.

## What happens with your answers
The companies that bid for the contract receive the totals, and the team reads every word. We will say what changed because of you.`,
  ),
  picture: '/demo/dyffryn/bws-y-cwm.svg',
  pictureAlt: cyEn('Darlun o fws yn dringo drwy’r cwm yn y glaw', 'Drawing of a bus climbing through the valley in the rain'),
  status: 'published',
  featured: true,
  opens: -27,
  closes: 17,
  place: { address: cyEn('O Flaen-y-Nant i Bont-yr-Afon', 'From Blaen-y-Nant to Pont-yr-Afon'), lat: 52.6814, lng: -3.7712 },
  team: [
    { name: 'Gethin Morris', role: cyEn('Pennaeth trafnidiaeth', 'Head of transport'), email: 'gethin.morris' },
    { name: 'Lowri Pugh', role: cyEn('Swyddog bysiau', 'Bus officer'), email: 'lowri.pugh' },
  ],
  faqs: [
    {
      question: cyEn('A fydd fy ngherdyn teithio am ddim yn dal i weithio?', 'Will my free travel card still work?'),
      answer: cyEn(
        'Bydd, ar bob bws ac ar bob awr. Llywodraeth Cymru sy’n talu am y cerdyn, nid y cytundeb hwn.',
        'Yes, on every bus and at every hour. The Welsh Government pays for the card, not this contract.',
      ),
    },
    {
      question: cyEn('Pam na allwn gael y ddau?', 'Why can we not have both?'),
      answer: cyEn(
        'Byddai bws bob hanner awr saith diwrnod yr wythnos yn costio £410,000 y flwyddyn yn fwy na’r hyn sydd gennym.',
        'A bus every half hour seven days a week would cost £410,000 a year more than we have.',
      ),
    },
  ],
  dates: [
    { title: cyEn('Agor yr arolwg', 'Survey opens'), day: -27 },
    {
      title: cyEn('Paned ar y bws', 'A cuppa on the bus'),
      detail: cyEn(
        'Bydd bws y cyngor ym maes parcio Llan-y-Cwm o chwech ymlaen, gyda the.',
        'The council’s bus is in the Llan-y-Cwm car park from six o’clock, with tea.',
      ),
      day: 6,
      precision: 'time',
    },
    { title: cyEn('Cau’r arolwg', 'Survey closes'), day: 17 },
    { title: cyEn('Amserlen ddrafft', 'Draft timetable'), day: 45 },
    { title: cyEn('Y bws newydd cyntaf', 'First new bus'), day: 290, precision: 'season' },
  ],
  documents: [
    {
      title: cyEn('Bws y Cwm ar un ddalen', 'The valley bus on one sheet (in Welsh)'),
      file: '/demo/documents/dyffryn-bws-y-cwm-cy.pdf',
      language: 'cy',
    },
    {
      title: cyEn('Bws y Cwm ar un ddalen (yn Saesneg)', 'The valley bus on one sheet'),
      file: '/demo/documents/dyffryn-bws-y-cwm-en.pdf',
      language: 'en',
    },
  ],
  updates: [
    {
      slug: 'bws-mil-o-atebion',
      title: cyEn('Mil o atebion, a llawer o law', 'A thousand answers, and a lot of rain'),
      body: cyEn(
        'Mae dros fil ohonoch wedi ateb. Mae dau beth yn codi dro ar ôl tro: bws adref o’r gwaith ar ôl chwech, a tho dros yr arhosfan. Bydd saith lloches newydd yn eu lle cyn y Nadolig, heb aros am y cytundeb.',
        'More than a thousand of you have answered. Two things come back again and again: a bus home from work after six, and a roof over the stop. Seven new shelters will be in place before Christmas, without waiting for the contract.',
      ),
      day: -4,
    },
    {
      slug: 'bws-ar-bapur',
      title: cyEn('Yr arolwg ar bapur', 'The survey on paper'),
      body: cyEn(
        'Mae copïau papur ar bob bws, yn y pum llyfrgell ac yn siop Llan-y-Cwm. Gallwch hefyd ffonio, a bydd rhywun yn llenwi’r ffurflen gyda chi yn Gymraeg neu yn Saesneg.',
        'There are paper copies on every bus, in the five libraries and in the shop at Llan-y-Cwm. You can also telephone, and someone will fill in the form with you in Welsh or in English.',
      ),
      day: -19,
    },
  ],
  surveys: [
    survey,
    buildEveryQuestionSurvey({
      slug: 'y-ffordd-i-ch-arhosfan',
      languages: ['cy', 'en'],
      pictures: ['/demo/dyffryn/bws-y-cwm.svg', '/demo/dyffryn/stryd-fawr.svg'],
      words: {
        q_place: { all: { cy: ['Wrth y bont', 'O flaen y siop', 'Y rhiw ger yr ysgol'], en: ['By the bridge', 'In front of the shop'] } },
        q_name: { all: { cy: ['Y Sgwâr', 'Pen y bont', 'Yr hen orsaf'], en: ['The Square', 'The old station'] } },
        q_why: {
          all: {
            cy: ['Mainc hanner ffordd i fyny’r rhiw.', 'Golau sy’n gweithio.', 'Llwybr heb byllau dŵr.'],
            en: ['A bench halfway up.', 'A path without puddles.'],
          },
        },
        q_postcode: { all: { cy: ['SY20 8AA', 'SY17 5BB'], en: ['SY20 8AA', 'SY18 6CC'] } },
      },
    }),
  ],
}
