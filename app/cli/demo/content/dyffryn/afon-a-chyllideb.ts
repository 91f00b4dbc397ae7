import { longText, oneChoice, option, page, rating, severalChoices, shortText } from '../questions.ts'
import { cyEn } from '../texts.ts'
import type { DemoProject } from '../types.ts'

export const lleIrAfon: DemoProject = {
  slug: 'lle-i-r-afon',
  hub: 'amgylchedd',
  topic: 'amgylchedd',
  title: cyEn('Lle i’r afon', 'Room for the river'),
  summary: cyEn(
    'Sut mae amddiffyn 312 o gartrefi ym Mhont-yr-Afon heb guddio’r afon y tu ôl i wal?',
    'How do we protect 312 homes in Pont-yr-Afon without hiding the river behind a wall?',
  ),
  body: cyEn(
    `Ym mis Chwefror {year:-3} cododd Afon Arian bum metr mewn naw awr. Daeth y dŵr i 312 o gartrefi, a bu rhai teuluoedd allan o’u tai am flwyddyn.

Bydd yn digwydd eto. Gallwn gadw’r dŵr i fyny’r cwm, mewn dolydd a choed; gallwn godi wal drwy’r dref; neu gallwn wneud peth o’r ddau. Mae pob dewis yn costio rhywbeth i rywun: cae i ffermwr, golygfa i gymydog, arian i bawb.

## Beth rydym yn ei wybod
- Byddai dolydd a choed yn unig yn amddiffyn 190 o gartrefi.
- Byddai wal o 1.6 metr yn amddiffyn pob un, ac yn cuddio’r afon o’r Stryd Fawr.
- Byddai’r ddau gyda’i gilydd, â wal o 0.8 metr, yn amddiffyn 305.

## Beth hoffem ei wybod gennych chi
Ble daeth y dŵr i mewn, beth fyddech chi’n barod i’w golli, a pha fath o rybudd sy’n eich cyrraedd mewn pryd.`,
    `In February {year:-3} Afon Arian rose five metres in nine hours. The water entered 312 homes, and some families were out of them for a year.

It will happen again. We can hold the water up the valley, in meadows and trees; we can build a wall through the town; or we can do some of both. Each choice costs somebody something: a field to a farmer, a view to a neighbour, money to everyone.

## What we know
- Meadows and trees alone would protect 190 homes.
- A wall of 1.6 metres would protect every one, and hide the river from the High Street.
- The two together, with a wall of 0.8 metres, would protect 305.

## What we would like to know from you
Where the water came in, what you would be ready to lose, and what kind of warning reaches you in time.`,
  ),
  picture: '/demo/dyffryn/lle-i-r-afon.svg',
  pictureAlt: cyEn('Darlun o afon lawn yn llifo o dan bont garreg', 'Drawing of a full river flowing under a stone bridge'),
  status: 'published',
  opens: -16,
  closes: 40,
  place: {
    address: cyEn('Afon Arian, o Flaen-y-Nant i Bont-yr-Afon', 'Afon Arian, from Blaen-y-Nant to Pont-yr-Afon'),
    lat: 52.6702,
    lng: -3.7835,
  },
  team: [
    { name: 'Huw Jenkins', role: cyEn('Peiriannydd afonydd', 'River engineer'), email: 'huw.jenkins' },
    { name: 'Ffion Daniel', role: cyEn('Swyddog ffermydd a dolydd', 'Farms and meadows officer'), email: 'ffion.daniel' },
  ],
  dates: [
    { title: cyEn('Agor yr arolwg', 'Survey opens'), day: -16 },
    {
      title: cyEn('Taith gerdded ar hyd y dolydd', 'Walk along the meadows'),
      detail: cyEn('Dewch ag esgidiau glaw.', 'Bring wellingtons.'),
      day: 10,
      precision: 'time',
    },
    { title: cyEn('Cau’r arolwg', 'Survey closes'), day: 40 },
  ],
  documents: [
    {
      title: cyEn('Tri dewis ar gyfer yr afon', 'Three choices for the river (in Welsh)'),
      file: '/demo/documents/dyffryn-afon-cy.pdf',
      language: 'cy',
    },
  ],
  updates: [
    {
      slug: 'afon-mesurydd',
      title: cyEn('Pedwar mesurydd newydd ar yr afon', 'Four new gauges on the river'),
      body: cyEn(
        'Mae’r afon bellach yn cael ei mesur bob chwarter awr uwchben Blaen-y-Nant. Bydd hynny’n rhoi awr a hanner o rybudd yn lle deugain munud.',
        'The river is now measured every fifteen minutes above Blaen-y-Nant. That gives an hour and a half of warning instead of forty minutes.',
      ),
      day: -7,
    },
  ],
  surveys: [
    {
      slug: 'dwr-a-dewis',
      title: cyEn('Dŵr a dewis', 'Water and choice'),
      intro: cyEn(
        'Pum cwestiwn. Nid oes rhaid i chi fod wedi dioddef llifogydd i’w hateb.',
        'Five questions. You do not have to have been flooded to answer them.',
      ),
      thanks: cyEn(
        'Diolch. Byddwn yn rhoi pob man y daeth y dŵr i mewn ar y map.',
        'Thank you. We will put every place where the water came in on the map.',
      ),
      status: 'published',
      access: 'signed_in',
      minutes: 6,
      pages: [
        page(
          'p1',
          cyEn('Y llif', 'The flood'),
          oneChoice(
            'q_llif',
            cyEn('A ddaeth y dŵr atoch chi?', 'Did the water reach you?'),
            [
              option('ty', cyEn('Do, i’r tŷ', 'Yes, into the house')),
              option('gardd', cyEn('Do, i’r ardd neu’r stryd', 'Yes, into the garden or the street')),
              option('na', cyEn('Naddo', 'No')),
            ],
            { required: true },
          ),
          shortText('q_man', cyEn('Ble daeth y dŵr i mewn?', 'Where did it come in?')),
          oneChoice(
            'q_dewis',
            cyEn('Pa ddewis fyddech chi’n ei wneud?', 'Which choice would you make?'),
            [
              option('dolydd', cyEn('Dolydd a choed', 'Meadows and trees')),
              option('wal', cyEn('Wal uchel', 'A high wall')),
              option('ddau', cyEn('Y ddau, â wal isel', 'Both, with a low wall')),
            ],
            { required: true },
          ),
          severalChoices('q_rhybudd', cyEn('Pa rybudd sy’n eich cyrraedd?', 'Which warning reaches you?'), [
            option('testun', cyEn('Neges destun', 'A text message')),
            option('seiren', cyEn('Seiren', 'A siren')),
            option('radio', cyEn('Radio', 'Radio')),
            option('cymydog', cyEn('Cymydog wrth y drws', 'A neighbour at the door')),
          ]),
          longText('q_stori', cyEn('Beth ddylem ni ei ddeall am y noson honno?', 'What should we understand about that night?')),
        ),
      ],
      crowd: {
        people: 274,
        usual: {
          q_llif: { o_ty: 24, o_gardd: 27, o_na: 49 },
          q_man: 0.35,
          q_dewis: { o_dolydd: 27, o_wal: 16, o_ddau: 57 },
          q_rhybudd: { o_testun: 0.7, o_seiren: 0.35, o_radio: 0.2, o_cymydog: 0.5 },
          q_stori: 0.32,
        },
        kinds: [
          { name: 'llif', share: 45, leans: { q_llif: { o_ty: 4, o_na: 0.1 }, q_dewis: { o_wal: 2.2 }, q_stori: 2, q_man: 2.2 } },
          { name: 'sych', share: 55, leans: { q_llif: { o_na: 3, o_ty: 0.1 }, q_dewis: { o_dolydd: 1.4 } } },
        ],
        words: {
          q_man: {
            all: {
              cy: ['Drwy’r drws cefn', 'I fyny drwy’r draen', 'O’r nant, nid o’r afon', 'Maes y Rheilffordd', 'Dan y bont'],
              en: ['Through the back door', 'Up through the drain', 'From the brook, not the river', 'Railway Terrace', 'Under the bridge'],
            },
          },
          q_stori: {
            all: {
              cy: [
                'Y sŵn. Does neb yn eich paratoi am y sŵn.',
                'Cymdogion gyda rhaffau a’n hachubodd ni, nid y rhybudd.',
                'Mae’r plant yn dal i ofni glaw.',
                'Peidiwch â’n gwahanu ni oddi wrth yr afon.',
                'Mae yswiriant yn amhosib bellach.',
              ],
              en: [
                'The noise. Nobody prepares you for the noise.',
                'Neighbours with ropes saved us, not the warning.',
                'The children are still afraid of rain.',
                'Do not cut us off from the river.',
                'Insurance is impossible now.',
                'The drain came first, an hour before the river.',
              ],
            },
          },
        },
      },
    },
  ],
}

const gwasanaethau = [
  option('ysgolion', cyEn('Ysgolion', 'Schools')),
  option('gofal', cyEn('Gofal i bobl hŷn', 'Care for older people')),
  option('ffyrdd', cyEn('Ffyrdd', 'Roads')),
  option('bysiau', cyEn('Bysiau', 'Buses')),
  option('llyfrgelloedd', cyEn('Llyfrgelloedd', 'Libraries')),
  option('hamdden', cyEn('Canolfannau hamdden', 'Leisure centres')),
  option('ailgylchu', cyEn('Ailgylchu', 'Recycling')),
  option('ieuenctid', cyEn('Clybiau ieuenctid', 'Youth clubs')),
]

export const cyllideb: DemoProject = {
  slug: 'cyllideb',
  hub: null,
  topic: 'cyllid',
  title: cyEn('Cyllideb {year:+1}: beth sy’n bwysig i chi?', 'Budget {year:+1}: what matters to you?'),
  summary: cyEn(
    'Mae bwlch o 7.4 miliwn o bunnoedd. Dywedwch wrthym beth i’w warchod.',
    'There is a gap of 7.4 million pounds. Tell us what to protect.',
  ),
  body: cyEn(
    `Bob blwyddyn rhaid i’r cyngor osod cyllideb sy’n mantoli. Mae prisiau wedi codi, mae mwy o bobl angen gofal, ac nid yw’r grant wedi codi cymaint â’r naill na’r llall.

Y bwlch yw 7.4 miliwn o bunnoedd, tua 118 o bunnoedd am bob person yn y sir. Gall ddod o’r dreth gyngor, o godi am rai pethau, neu o wneud llai.

## Beth na allwn ei newid
Mae’r gyfraith yn dweud bod rhaid i ni ddarparu ysgolion a gofal. Sut rydym yn gwneud hynny sy’n agored.

## Sut mae’ch ateb yn cyfrif
Bydd pob cynghorydd yn gweld y cyfansymiau cyn pleidleisio, fesul ward, lle mae digon o bobl wedi ateb.`,
    `Every year the council has to set a budget that balances. Prices have risen, more people need care, and the grant has not risen as much as either.

The gap is 7.4 million pounds, about 118 pounds for each person in the county. It can come from council tax, from charging for some things, or from doing less.

## What we cannot change
The law says that we must provide schools and care. How we do it is open.

## How your answer counts
Every councillor sees the totals before voting, by ward, where enough people have answered.`,
  ),
  picture: '/demo/dyffryn/cyllideb.svg',
  pictureAlt: cyEn(
    'Darlun o glorian â thai ar un ochr a cheiniogau ar y llall',
    'Drawing of scales with houses on one side and coins on the other',
  ),
  status: 'published',
  opens: -30,
  closes: 12,
  team: [{ name: 'Meinir Hopkins', role: cyEn('Pennaeth cyllid', 'Head of finance'), email: 'meinir.hopkins' }],
  dates: [
    { title: cyEn('Agor yr arolwg', 'Survey opens'), day: -30 },
    { title: cyEn('Cau’r arolwg', 'Survey closes'), day: 12 },
    { title: cyEn('Y cyngor llawn yn pleidleisio', 'Full council votes'), day: 80, precision: 'month' },
  ],
  documents: [
    {
      title: cyEn('Y gyllideb mewn deg llinell', 'The budget in ten lines (in Welsh)'),
      file: '/demo/documents/dyffryn-cyllideb-cy.pdf',
      language: 'cy',
    },
    {
      title: cyEn('Y gyllideb mewn deg llinell (yn Saesneg)', 'The budget in ten lines'),
      file: '/demo/documents/dyffryn-cyllideb-en.pdf',
      language: 'en',
    },
  ],
  updates: [],
  surveys: [
    {
      slug: 'beth-i-w-warchod',
      title: cyEn('Beth i’w warchod?', 'What to protect?'),
      intro: cyEn('Pedwar cwestiwn, pedair munud.', 'Four questions, four minutes.'),
      thanks: cyEn('Diolch. Cewch weld y cyfansymiau cyn y bleidlais.', 'Thank you. You will see the totals before the vote.'),
      status: 'published',
      access: 'anyone_once',
      resultsPublic: true,
      minutes: 4,
      pages: [
        page(
          'p1',
          cyEn('Eich dewis', 'Your choice'),
          severalChoices(
            'q_gwarchod',
            cyEn('Pa dri gwasanaeth fyddech chi’n eu gwarchod?', 'Which three services would you protect?'),
            gwasanaethau,
            { required: true, minChoices: 1, maxChoices: 3 },
          ),
          oneChoice(
            'q_treth',
            cyEn('Beth ddylai ddigwydd i’r dreth gyngor?', 'What should happen to council tax?'),
            [
              option('dim', cyEn('Dim codiad, llai o wasanaethau', 'No rise, fewer services')),
              option('pris', cyEn('Codi gyda phrisiau', 'Rise with prices')),
              option('mwy', cyEn('Codi ychydig mwy', 'Rise a little more')),
            ],
            { required: true },
          ),
          rating(
            'q_gwerth',
            cyEn('Pa mor dda yw’r gwerth am arian?', 'How good is the value for money?'),
            cyEn('Gwael', 'Poor'),
            cyEn('Da iawn', 'Very good'),
          ),
          longText('q_syniad', cyEn('Un syniad i arbed arian?', 'One idea to save money?')),
        ),
      ],
      crowd: {
        people: 903,
        usual: {
          q_gwarchod: {
            o_ysgolion: 0.56,
            o_gofal: 0.58,
            o_ffyrdd: 0.34,
            o_bysiau: 0.36,
            o_llyfrgelloedd: 0.25,
            o_hamdden: 0.24,
            o_ailgylchu: 0.12,
            o_ieuenctid: 0.26,
          },
          q_treth: { o_dim: 31, o_pris: 47, o_mwy: 22 },
          q_gwerth: 3,
          q_syniad: 0.24,
        },
        kinds: [
          { name: 'teulu', share: 38, leans: { q_gwarchod: { o_ysgolion: 1.5, o_hamdden: 1.5, o_gofal: 0.6 }, q_treth: { o_mwy: 1.3 } } },
          { name: 'hyn', share: 36, leans: { q_gwarchod: { o_gofal: 1.4, o_bysiau: 1.3, o_ieuenctid: 0.5 }, q_treth: { o_dim: 1.5 } } },
          { name: 'ifanc', share: 26, leans: { q_gwarchod: { o_ieuenctid: 2, o_bysiau: 1.3 }, q_treth: { o_mwy: 1.6 }, q_gwerth: 0.2 } },
        ],
        words: {
          q_syniad: {
            all: {
              cy: [
                'Diffoddwch y goleuadau yn y swyddfeydd.',
                'Rhannwch adeiladau â’r bwrdd iechyd.',
                'Llai o ymgynghorwyr o bant.',
                'Trwsiwch bethau cyn iddynt dorri.',
                'Paneli haul ar bob ysgol.',
                'Codwch fwy ar ail gartrefi.',
              ],
              en: [
                'Turn the lights off in the offices.',
                'Share buildings with the health board.',
                'Fewer consultants from away.',
                'Mend things before they break.',
                'Solar panels on every school.',
                'Charge more on second homes.',
                'One bin lorry at a time down our lane, not three.',
              ],
            },
          },
        },
      },
    },
    {
      slug: 'un-cwestiwn',
      title: cyEn('Un cwestiwn cyflym', 'One quick question'),
      intro: {},
      thanks: cyEn('Diolch. Byddwn yn cyhoeddi’r canlyniad.', 'Thank you. We will publish the result.'),
      status: 'published',
      access: 'anyone_once',
      resultsPublic: true,
      minutes: 1,
      pages: [
        page(
          'p1',
          cyEn('Un cwestiwn cyflym', 'One quick question'),
          oneChoice(
            'q_pryd',
            cyEn('Pryd hoffech chi gwrdd â’r cynghorwyr am y gyllideb?', 'When would you like to meet councillors about the budget?'),
            [
              option('bore', cyEn('Bore Sadwrn', 'Saturday morning')),
              option('nos', cyEn('Nos Fercher', 'Wednesday evening')),
              option('arlein', cyEn('Ar-lein, amser cinio', 'Online, at lunchtime')),
            ],
            { required: true },
          ),
        ),
      ],
      crowd: {
        people: 164,
        usual: { q_pryd: { o_bore: 39, o_nos: 34, o_arlein: 27 } },
        kinds: [{ name: 'pawb', share: 100 }],
        words: {},
      },
    },
  ],
}
