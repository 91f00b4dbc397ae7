import { longText, oneChoice, option, page, rating, severalChoices } from '../questions.ts'
import { cyEn } from '../texts.ts'
import type { DemoProject } from '../types.ts'

export const strydFawr: DemoProject = {
  slug: 'stryd-fawr',
  hub: 'trafnidiaeth',
  topic: 'trafnidiaeth',
  title: cyEn('Stryd Fawr heb draffig ar ddydd Sadwrn', 'A High Street without traffic on Saturdays'),
  summary: cyEn(
    'Beth ddywedodd 712 o bobl wrthym, a’r tri pheth sy’n newid o {month:+60} ymlaen.',
    'What 712 people told us, and the three things that change from {month:+60}.',
  ),
  body: cyEn(
    `Am wyth dydd Sadwrn caewyd Stryd Fawr Pont-yr-Afon i geir rhwng deg a phedwar. Daeth stondinau, meinciau a band pres. Daeth glaw hefyd, ar bump o’r wyth.

Gofynnwyd i siopwyr, ymwelwyr a’r rhai sy’n byw uwchben y siopau beth oedd yn gweithio a beth nad oedd.`,
    `For eight Saturdays the High Street of Pont-yr-Afon was closed to cars between ten and four. There were stalls, benches and a brass band. There was rain as well, on five of the eight.

We asked shopkeepers, visitors and the people who live above the shops what worked and what did not.`,
  ),
  picture: '/demo/dyffryn/stryd-fawr.svg',
  pictureAlt: cyEn(
    'Darlun o stryd o siopau llechi â stondinau ac ymbaréls',
    'Drawing of a street of slate-roofed shops with stalls and umbrellas',
  ),
  status: 'published',
  opens: -140,
  closes: -84,
  place: { address: cyEn('Stryd Fawr, Pont-yr-Afon', 'High Street, Pont-yr-Afon'), lat: 52.6668, lng: -3.7901 },
  team: [{ name: 'Lowri Pugh', role: cyEn('Swyddog canol y dref', 'Town centre officer'), email: 'lowri.pugh' }],
  outcome: cyEn(
    `## Beth ddywedodd pobl wrthym
Atebodd 712 o bobl, 96 ohonynt yn gweithio ar y stryd. Hoffai tua chwech o bob deg gau’r stryd bob dydd Sadwrn, ac un arall o bob pump unwaith y mis. Poeni am gasglu nwyddau trwm yr oedd y siopau; poeni am barcio yr oedd y rhai a ddaeth o’r ffermydd.

## Beth sy’n newid
- Bydd y stryd ar gau i geir bob dydd Sadwrn o {month:+60} ymlaen, rhwng deg a phedwar.
- Bydd man casglu y tu ôl i’r neuadd, lle caiff siopau lwytho ceir am ddim.
- Bydd to gwydr dros sgwâr y farchnad, oherwydd y glaw.

## Beth nad yw’n newid, a pham
Ni fydd y stryd yn cau ar ddyddiau’r wythnos. Mae angen y ffordd ar y bws ac ar yr ambiwlans, ac ychydig iawn ohonoch oedd am hynny.`,
    `## What people told us
712 people answered, 96 of whom work on the street. About six in ten would close the street every Saturday, and another one in five once a month. Shops worried about customers collecting heavy goods; those who came from the farms worried about parking.

## What changes
- The street is closed to cars every Saturday from {month:+60}, between ten and four.
- There is a collection point behind the hall where shops may load cars, free of charge.
- There is a glass roof over the market square, because of the rain.

## What does not change, and why
The street does not close on weekdays. The bus and the ambulance need the road, and very few of you wanted it.`,
  ),
  dates: [
    { title: cyEn('Wyth dydd Sadwrn', 'Eight Saturdays'), day: -140, precision: 'month' },
    { title: cyEn('Cyhoeddi’r canlyniadau', 'Results published'), day: -26 },
    { title: cyEn('Y dydd Sadwrn cyntaf', 'The first Saturday'), day: 60, precision: 'month' },
  ],
  documents: [
    {
      title: cyEn('Adroddiad yr wyth dydd Sadwrn', 'Report on the eight Saturdays (in Welsh)'),
      file: '/demo/documents/dyffryn-stryd-fawr-cy.pdf',
      language: 'cy',
    },
  ],
  updates: [
    {
      slug: 'stryd-fawr-canlyniadau',
      title: cyEn('Beth ddywedodd 712 o bobl wrthym', 'What 712 people told us'),
      body: cyEn(
        'Mae’r canlyniadau ar y dudalen hon, gyda’r tri pheth sy’n newid ac un nad yw’n newid. Diolch am sefyll yn y glaw gyda ni.',
        'The results are on this page, with the three things that change and the one that does not. Thank you for standing in the rain with us.',
      ),
      day: -26,
    },
  ],
  surveys: [
    {
      slug: 'wyth-dydd-sadwrn',
      title: cyEn('Wyth dydd Sadwrn', 'Eight Saturdays'),
      intro: cyEn('Chwe chwestiwn.', 'Six questions.'),
      thanks: cyEn('Diolch yn fawr.', 'Thank you very much.'),
      status: 'published',
      resultsPublic: true,
      minutes: 4,
      pages: [
        page(
          'p1',
          cyEn('Y stryd', 'The street'),
          oneChoice(
            'q_cau',
            cyEn('A ddylem gau’r stryd i geir?', 'Should we close the street to cars?'),
            [
              option('pob', cyEn('Bob dydd Sadwrn', 'Every Saturday')),
              option('mis', cyEn('Unwaith y mis', 'Once a month')),
              option('haf', cyEn('Yn yr haf yn unig', 'In summer only')),
              option('na', cyEn('Na ddylem', 'No')),
            ],
            { required: true },
          ),
          severalChoices('q_hoffi', cyEn('Beth oeddech chi’n ei hoffi?', 'What did you like?'), [
            option('stondinau', cyEn('Y stondinau', 'The stalls')),
            option('meinciau', cyEn('Lle i eistedd', 'Somewhere to sit')),
            option('band', cyEn('Y band', 'The band')),
            option('tawel', cyEn('Y tawelwch', 'The quiet')),
            option('plant', cyEn('Plant yn chwarae', 'Children playing')),
          ]),
          rating('q_sadwrn', cyEn('Sut oedd eich diwrnod?', 'How was your day?'), cyEn('Gwael', 'Poor'), cyEn('Gwych', 'Great')),
          longText('q_newid', cyEn('Beth fyddech chi’n ei newid?', 'What would you change?')),
          longText(
            'q_cymraeg',
            cyEn(
              'Pa effaith gafodd y dyddiau ar gyfleoedd i ddefnyddio’r Gymraeg?',
              'What effect did the days have on opportunities to use Welsh?',
            ),
          ),
          longText(
            'q_mwy_o_gymraeg',
            cyEn(
              'Sut gallem wneud yr effaith honno’n fwy cadarnhaol, neu’n llai andwyol?',
              'How could we make that effect more positive, or less adverse?',
            ),
          ),
        ),
      ],
      crowd: {
        people: 712,
        usual: {
          q_cau: { o_pob: 74, o_mis: 19, o_haf: 9, o_na: 12 },
          q_hoffi: { o_stondinau: 0.6, o_meinciau: 0.36, o_band: 0.4, o_tawel: 0.3, o_plant: 0.42 },
          q_sadwrn: 3.8,
          q_newid: 0.3,
          q_cymraeg: 0,
          q_mwy_o_gymraeg: 0,
        },
        kinds: [
          { name: 'ymwelydd', share: 70, leans: { q_cau: { o_pob: 1.1 }, q_sadwrn: 0.2 } },
          { name: 'siop', share: 14, leans: { q_cau: { o_na: 2.2, o_pob: 0.7 }, q_sadwrn: -0.6, q_newid: 2 } },
          { name: 'fferm', share: 16, leans: { q_cau: { o_mis: 1.8, o_na: 1.3, o_pob: 0.8 }, q_sadwrn: -0.2 } },
        ],
        words: {
          q_newid: {
            all: {
              cy: [
                'To dros y sgwâr.',
                'Mwy o feinciau â chefn iddynt.',
                'Lle i lwytho bwyd anifeiliaid.',
                'Llai o sŵn o’r generaduron.',
                'Dim byd, roedd yn hyfryd.',
                'Toiledau ar agor ar y Sadwrn.',
              ],
              en: [
                'A roof over the square.',
                'More benches with backs.',
                'Somewhere to load animal feed.',
                'Less noise from the generators.',
                'Nothing, it was lovely.',
                'Toilets open on a Saturday.',
                'More stalls from the valley and fewer from away.',
              ],
            },
          },
        },
      },
    },
  ],
}

export const ailgylchu: DemoProject = {
  slug: 'biniau',
  hub: 'amgylchedd',
  topic: 'amgylchedd',
  title: cyEn('Bin du bob tair wythnos?', 'Black bins every three weeks?'),
  summary: cyEn('Mae’r arolwg wedi cau. Rydym yn darllen eich atebion.', 'The survey has closed. We are reading your answers.'),
  body: cyEn(
    `Rydym yn ailgylchu 66 o bob cant o’r hyn a daflwn. Y targed yw 70, a’r ddirwy am ei fethu yw 300,000 o bunnoedd y flwyddyn.

Mewn cynghorau eraill daeth y gwahaniaeth o gasglu’r bin du’n llai aml a’r gwastraff bwyd yn amlach. Gofynnwyd beth fyddai hynny’n ei olygu i chi. Cyhoeddir y canlyniadau ar {date:+13}.`,
    `We recycle 66 in every hundred parts of what we throw away. The target is 70, and the fine for missing it is 300,000 pounds a year.

Elsewhere the difference came from collecting the black bin less often and food waste more often. We asked what that would mean for you. The results are published on {date:+13}.`,
  ),
  picture: '/demo/dyffryn/biniau.svg',
  pictureAlt: cyEn('Darlun o finiau a bocsys ailgylchu o flaen tŷ teras', 'Drawing of bins and recycling boxes outside a terraced house'),
  status: 'published',
  opens: -60,
  closes: -9,
  team: [{ name: 'Dewi Rowlands', role: cyEn('Gwastraff ac ailgylchu', 'Waste and recycling'), email: 'dewi.rowlands' }],
  dates: [
    { title: cyEn('Cau’r arolwg', 'Survey closed'), day: -9 },
    { title: cyEn('Cyhoeddi’r canlyniadau', 'Results published'), day: 13 },
  ],
  documents: [],
  updates: [],
  surveys: [
    {
      slug: 'eich-biniau',
      title: cyEn('Eich biniau chi', 'Your bins'),
      intro: cyEn('Tri chwestiwn am y biniau.', 'Three questions about bins.'),
      thanks: cyEn('Diolch.', 'Thank you.'),
      status: 'published',
      minutes: 3,
      pages: [
        page(
          'p1',
          cyEn('Biniau', 'Bins'),
          oneChoice(
            'q_llawn',
            cyEn('Pa mor llawn yw’r bin du ar ôl pythefnos?', 'How full is your black bin after two weeks?'),
            [
              option('hanner', cyEn('Hanner llawn neu lai', 'Half full or less')),
              option('llawn', cyEn('Llawn', 'Full')),
              option('gorlifo', cyEn('Yn gorlifo', 'Overflowing')),
            ],
            { required: true },
          ),
          rating(
            'q_tair',
            cyEn('Sut fyddech chi’n teimlo am dair wythnos?', 'How would you feel about three weeks?'),
            cyEn('Yn erbyn', 'Against'),
            cyEn('O blaid', 'In favour'),
          ),
          longText('q_rhwystr', cyEn('Beth fyddai’n ei gwneud yn anodd?', 'What would make it hard?')),
        ),
      ],
      crowd: {
        people: 641,
        usual: { q_llawn: { o_hanner: 36, o_llawn: 45, o_gorlifo: 19 }, q_tair: 2.8, q_rhwystr: 0.35 },
        kinds: [
          { name: 'teulu', share: 40, leans: { q_llawn: { o_gorlifo: 2.4, o_hanner: 0.4 }, q_tair: -0.8 } },
          { name: 'bach', share: 60, leans: { q_llawn: { o_hanner: 1.6, o_gorlifo: 0.4 }, q_tair: 0.5 } },
        ],
        words: {
          q_rhwystr: {
            all: {
              cy: [
                'Cewynnau. Dau o blant dan ddwy.',
                'Does gen i ddim lle i fin arall.',
                'Gwylanod.',
                'Dim byd, prin fod gen i wastraff.',
                'Lonydd cul, a’r lori’n methu troi.',
              ],
              en: [
                'Nappies. Two children under two.',
                'I have no room for another bin.',
                'Gulls.',
                'Nothing, I hardly have any waste.',
                'Narrow lanes where the lorry cannot turn.',
                'Hot weeks in summer.',
              ],
            },
          },
        },
      },
    },
  ],
}

export const henReilffordd: DemoProject = {
  slug: 'llwybr-yr-hen-reilffordd',
  hub: 'trafnidiaeth',
  topic: 'trafnidiaeth',
  title: cyEn('Llwybr yr Hen Reilffordd', 'The Old Railway Path'),
  summary: cyEn(
    'Naw milltir heb gar. Agorwyd y darn olaf, yn ôl eich dymuniad.',
    'Nine miles without a car. The last stretch is open, as you asked.',
  ),
  body: cyEn(
    `Aeth y trên olaf drwy’r cwm yn 1964. Gofynnwyd beth i’w wneud â’r trac, a’ch ateb chi oedd: cerdded, beicio, a pheidio â’i oleuo ger yr ystlumod.

Heddiw mae’r llwybr yn cysylltu pedwar pentref, dwy ysgol a’r orsaf.`,
    `The last train ran through the valley in 1964. We asked what to do with the track, and you said: walk, cycle, and do not light it near the bats.

Today the path links four villages, two schools and the station.`,
  ),
  picture: '/demo/dyffryn/hen-reilffordd.svg',
  pictureAlt: cyEn('Darlun o feicwyr ar draphont garreg', 'Drawing of cyclists on a stone viaduct'),
  status: 'archived',
  opens: -700,
  closes: -640,
  archived: -120,
  team: [{ name: 'Gethin Morris', role: cyEn('Pennaeth trafnidiaeth', 'Head of transport'), email: 'gethin.morris' }],
  outcome: cyEn(
    `## Beth ddywedodd pobl wrthym
Wyneb llyfn i gadeiriau olwyn a phramiau, meinciau bob hanner milltir, a thywyllwch i’r ystlumod.

## Beth wnaethom ni
- Naw milltir o lwybr, dwy bont a 31 o feinciau.
- Goleuadau isel, coch, sy’n diffodd am ddeg.
- Enwau’r gorsafoedd wedi’u hadfer, yn Gymraeg.`,
    `## What people told us
A smooth surface for wheelchairs and prams, benches every half mile, and darkness for the bats.

## What we did
- Nine miles of path, two bridges and 31 benches.
- Low red lights that go out at ten.
- The station names restored, in Welsh.`,
  ),
  dates: [{ title: cyEn('Agor y darn olaf', 'Last stretch opens'), day: -130, precision: 'month' }],
  documents: [],
  updates: [],
  surveys: [
    {
      slug: 'beth-am-y-trac',
      title: cyEn('Beth am y trac?', 'What about the track?'),
      intro: cyEn('Dau gwestiwn.', 'Two questions.'),
      thanks: cyEn('Diolch.', 'Thank you.'),
      status: 'archived',
      resultsPublic: true,
      minutes: 2,
      pages: [
        page(
          'p1',
          cyEn('Y trac', 'The track'),
          severalChoices(
            'q_defnydd',
            cyEn('I beth fyddech chi’n ei ddefnyddio?', 'What would you use it for?'),
            [
              option('cerdded', cyEn('Cerdded', 'Walking')),
              option('beicio', cyEn('Beicio', 'Cycling')),
              option('ceffyl', cyEn('Marchogaeth', 'Riding')),
              option('gwaith', cyEn('Cyrraedd y gwaith', 'Getting to work')),
            ],
            { required: true },
          ),
          rating(
            'q_tywyll',
            cyEn('Pa mor dywyll y dylai fod?', 'How dark should it be?'),
            cyEn('Golau drwyddo', 'Lit throughout'),
            cyEn('Tywyll i’r ystlumod', 'Dark for the bats'),
          ),
        ),
      ],
      crowd: {
        people: 388,
        usual: { q_defnydd: { o_cerdded: 0.8, o_beicio: 0.5, o_ceffyl: 0.12, o_gwaith: 0.25 }, q_tywyll: 3.4 },
        kinds: [{ name: 'pawb', share: 1 }],
        words: {},
      },
    },
  ],
}
