import { longText, oneChoice, option, otherOption, page, rating, severalChoices } from '../questions.ts'
import { cyEn } from '../texts.ts'
import type { DemoProject } from '../types.ts'

export const ysgolTreWen: DemoProject = {
  slug: 'ysgol-tre-wen',
  hub: 'addysg',
  topic: 'addysg',
  title: cyEn('Ysgol Gymraeg newydd i Dre-wen', 'A new Welsh-medium school for Tre-wen'),
  summary: cyEn(
    'Lle i 210 o blant, dau safle posibl, ac iard i’w chynllunio gyda’n gilydd.',
    'Room for 210 children, two possible sites, and a playground to design together.',
  ),
  body: cyEn(
    `Mae’r ysgol Gymraeg agosaf at Dre-wen bedair milltir i ffwrdd, ac mae hi’n llawn. Bob mis Medi mae 40 o deuluoedd yn cael gwybod nad oes lle.

Mae Llywodraeth Cymru wedi cynnig 11.6 miliwn o bunnoedd at ysgol newydd i 210 o blant, gyda meithrinfa a neuadd y gall y pentref ei defnyddio gyda’r nos.

## Dau safle
- Cae’r Bont, ar lan yr afon: digon o le, a llwybr cerdded o’r stad newydd. Byddai’n rhaid codi’r tir fetr a hanner rhag llifogydd.
- Yr hen ffatri wlân yn Heol y Felin: yng nghanol y pentref, ond â llai o le i chwarae.

## Beth rydym yn ei ofyn
Pa safle, sut fyddai eich plentyn yn teithio, a beth ddylai fod yn yr iard. Gall plant ateb y rhan olaf eu hunain.`,
    `The Welsh-medium school nearest to Tre-wen is four miles away, and it is full. Every September 40 families are told that there is no place.

The Welsh Government has offered 11.6 million pounds towards a new school for 210 children, with a nursery and a hall that the village can use in the evening.

## Two sites
- Cae’r Bont, by the river: plenty of room, and a footpath from the new estate. The ground would have to be raised by a metre and a half against floods.
- The old woollen mill on Mill Road: in the middle of the village, but with less room to play.

## What we are asking
Which site, how your child would travel, and what belongs in the playground. Children may answer the last part themselves.`,
  ),
  picture: '/demo/dyffryn/ysgol-tre-wen.svg',
  pictureAlt: cyEn('Darlun o ysgol newydd â tho gwyrdd o dan y bryniau', 'Drawing of a new school with a green roof below the hills'),
  status: 'published',
  opens: -21,
  closes: 30,
  place: { address: cyEn('Tre-wen', 'Tre-wen'), lat: 52.6931, lng: -3.7544 },
  team: [
    { name: 'Eleri Vaughan', role: cyEn('Trefnu lleoedd ysgol', 'School places'), email: 'eleri.vaughan' },
    { name: 'Rhodri Bevan', role: cyEn('Pensaer', 'Architect'), email: 'rhodri.bevan' },
  ],
  dates: [
    { title: cyEn('Agor yr arolwg', 'Survey opens'), day: -21 },
    { title: cyEn('Noson agored yn y neuadd', 'Open evening in the hall'), day: 8, precision: 'time' },
    { title: cyEn('Cau’r arolwg', 'Survey closes'), day: 30 },
    { title: cyEn('Y cabinet yn dewis y safle', 'Cabinet chooses the site'), day: 68, precision: 'month' },
    { title: cyEn('Drysau ar agor', 'Doors open'), day: 660, precision: 'season' },
  ],
  documents: [
    { title: cyEn('Y ddau safle', 'The two sites (in Welsh)'), file: '/demo/documents/dyffryn-ysgol-cy.pdf', language: 'cy' },
    { title: cyEn('Y ddau safle (yn Saesneg)', 'The two sites'), file: '/demo/documents/dyffryn-ysgol-en.pdf', language: 'en' },
  ],
  updates: [
    {
      slug: 'ysgol-modelau',
      title: cyEn('Plant Tre-wen yn adeiladu iard o focsys', 'Tre-wen’s children build a playground out of boxes'),
      body: cyEn(
        'Daeth 34 o blant i’r neuadd a gadael saith model, dwy afon a thwnnel. Mae lluniau ohonynt yn y llyfrgell tan {date:+12}.',
        'Thirty-four children came to the hall and left seven models, two rivers and a tunnel. Pictures of them are in the library until {date:+12}.',
      ),
      day: -8,
    },
  ],
  surveys: [
    {
      slug: 'safle-ac-iard',
      title: cyEn('Safle ac iard', 'A site and a playground'),
      intro: cyEn('Pum cwestiwn i deuluoedd, cymdogion a phlant.', 'Five questions for families, neighbours and children.'),
      thanks: cyEn(
        'Diolch yn fawr. Bydd y cabinet yn gweld y cyfansymiau cyn dewis.',
        'Thank you very much. The cabinet sees the totals before it chooses.',
      ),
      status: 'published',
      access: 'anyone_once',
      resultsPublic: true,
      minutes: 5,
      pages: [
        page(
          'p1',
          cyEn('Y safle', 'The site'),
          oneChoice(
            'q_safle',
            cyEn('Pa safle sydd orau gennych chi?', 'Which site do you prefer?'),
            [
              option('bont', cyEn('Cae’r Bont', 'Cae’r Bont'), cyEn('Ar lan yr afon, mwy o le', 'By the river, more room')),
              option(
                'ffatri',
                cyEn('Yr hen ffatri wlân', 'The old woollen mill'),
                cyEn('Yng nghanol y pentref', 'In the middle of the village'),
              ),
              option('chwaith', cyEn('Dim un o’r ddau', 'Neither')),
            ],
            { required: true },
          ),
          oneChoice('q_teithio', cyEn('Sut fyddai eich plentyn yn cyrraedd?', 'How would your child get there?'), [
            option('cerdded', cyEn('Cerdded neu feicio', 'Walking or cycling')),
            option('bws', cyEn('Bws ysgol', 'School bus')),
            option('car', cyEn('Car', 'Car')),
            option('dim', cyEn('Does gen i ddim plentyn o’r oed hwnnw', 'I have no child of that age')),
          ]),
          rating(
            'q_llifogydd',
            cyEn('Faint mae llifogydd yn eich poeni?', 'How much do floods worry you?'),
            cyEn('Dim o gwbl', 'Not at all'),
            cyEn('Yn fawr', 'Very much'),
          ),
        ),
        page(
          'p2',
          cyEn('Yr iard', 'The playground'),
          severalChoices(
            'q_iard',
            cyEn('Beth ddylai fod yn yr iard?', 'What belongs in the playground?'),
            [
              option('coed', cyEn('Coed i’w dringo', 'Trees to climb')),
              option('gardd', cyEn('Gardd lysiau', 'A vegetable garden')),
              option('pel', cyEn('Cae pêl-droed', 'A football pitch')),
              option('tawel', cyEn('Cornel dawel', 'A quiet corner')),
              option('dwr', cyEn('Nant a phont', 'A stream and a bridge')),
              otherOption(cyEn('Rhywbeth arall, nodwch', 'Something else, please say')),
            ],
            { maxChoices: 3 },
          ),
          longText('q_rheswm', cyEn('Dywedwch fwy wrthym.', 'Tell us more.')),
        ),
      ],
      crowd: {
        people: 486,
        usual: {
          q_safle: { o_bont: 44, o_ffatri: 47, o_chwaith: 9 },
          q_teithio: { o_cerdded: 42, o_bws: 20, o_car: 21, o_dim: 17 },
          q_llifogydd: 3.2,
          q_iard: { o_coed: 0.5, o_gardd: 0.4, o_pel: 0.42, o_tawel: 0.36, o_dwr: 0.34, o_other: 0.06 },
          q_rheswm: 0.38,
        },
        kinds: [
          { name: 'teulu', share: 55, leans: { q_teithio: { o_dim: 0.02 }, q_safle: { o_bont: 1.3 } } },
          { name: 'cymydog', share: 30, leans: { q_teithio: { o_dim: 8 }, q_safle: { o_ffatri: 1.4, o_chwaith: 2 }, q_llifogydd: 0.6 } },
          { name: 'plentyn', share: 15, leans: { q_iard: { o_coed: 1.6, o_dwr: 1.8, o_pel: 1.4, o_tawel: 0.6 }, q_llifogydd: -0.5 } },
        ],
        words: {
          q_rheswm: {
            all: {
              cy: [
                'Gall fy mhlant gerdded i’r ffatri wlân. Dyna ddiwedd y ddadl.',
                'Mae’r afon wedi bod yng Nghae’r Bont bedair gwaith ers i mi symud yma.',
                'Rhowch fywyd newydd i’r ffatri. Bu Mam-gu yn gweithio yno.',
                'Deugain o deuluoedd bob blwyddyn. Brysiwch.',
                'Neuadd i’r pentref hefyd, os gwelwch yn dda.',
                'Dim rhagor o geir ger y bont, plîs.',
              ],
              en: [
                'My children could walk to the mill. That settles it.',
                'The river has been on Cae’r Bont four times since I moved here.',
                'Give the mill a new life. My grandmother worked there.',
                'Forty families every year. Hurry up.',
                'We do not speak Welsh at home and we chose it for the girls. Best thing we did.',
                'A hall for the village too, please.',
              ],
            },
            plentyn: {
              cy: ['Dwi eisiau tŷ coeden.', 'Llithren o’r dosbarth i’r iard!', 'Cwningod.'],
              en: ['I want a tree house.', 'A slide from the classroom to the yard.', 'Rabbits please.'],
            },
          },
          'q_iard.other': {
            all: { cy: ['Tŷ coeden', 'Ieir', 'Llwyfan', 'Wal ddringo'], en: ['A tree house', 'Hens', 'A stage', 'A climbing wall'] },
          },
        },
      },
    },
  ],
}

export const capelSeion: DemoProject = {
  slug: 'capel-seion',
  hub: 'diwylliant-a-hamdden',
  topic: 'diwylliant',
  title: cyEn('Beth nesaf i Gapel Seion?', 'What next for Capel Seion?'),
  summary: cyEn(
    'Mae’r capel yn wag ers tair blynedd. Theatr, marchnad, cartrefi, neu dawelwch?',
    'The chapel has been empty for three years. A theatre, a market, homes, or quiet?',
  ),
  body: cyEn(
    `Agorwyd Capel Seion yn 1868 i chwe chant o addolwyr. Pan gaewyd y drysau, roedd naw ar ôl. Fe’i rhoddwyd i’r cyngor ar un amod: bod y pentref yn cael dweud beth ddaw ohono.

Mae’r to’n ddiogel, mae’r organ yn canu, ac mae’r galeri’n dal tri chant. Mae gennym 900,000 o bunnoedd i ddechrau, a grŵp lleol sy’n barod i’w redeg.

## Pedwar syniad
- Theatr a stiwdio recordio.
- Marchnad a chaffi, chwe diwrnod yr wythnos.
- Deuddeg o fflatiau i bobl leol.
- Lle tawel: llyfrgell, archif a gardd goffa.

Beth bynnag a ddewiswch, bydd yr organ yn aros.`,
    `Capel Seion opened in 1868 for six hundred worshippers. When its doors closed there were nine left. It was given to the council on one condition: that the village has its say in what becomes of it.

The roof is sound, the organ plays, and the gallery holds three hundred. We have 900,000 pounds to begin with, and a local group ready to run it.

## Four ideas
- A theatre and a recording studio.
- A market and a café, six days a week.
- Twelve flats for local people.
- A quiet place: library, archive and a garden of remembrance.

Whatever you choose, the organ stays.`,
  ),
  picture: '/demo/dyffryn/capel-seion.svg',
  pictureAlt: cyEn(
    'Darlun o gapel hufen â ffenestri bwaog o flaen y bryniau',
    'Drawing of a cream chapel with arched windows before the hills',
  ),
  status: 'published',
  opens: -32,
  closes: 3,
  place: { address: cyEn('Heol Seion, Llan-y-Cwm', 'Seion Road, Llan-y-Cwm'), lat: 52.6877, lng: -3.7689 },
  team: [{ name: 'Nia Probert', role: cyEn('Swyddog treftadaeth', 'Heritage officer'), email: 'nia.probert' }],
  dates: [
    { title: cyEn('Agor yr arolwg', 'Survey opens'), day: -32 },
    { title: cyEn('Cau’r arolwg', 'Survey closes'), day: 3 },
    { title: cyEn('Cyfarfod yn y capel', 'Meeting in the chapel'), day: 19, precision: 'time' },
  ],
  documents: [],
  updates: [
    {
      slug: 'seion-organ',
      title: cyEn('Clywch yr organ nos Iau', 'Hear the organ on Thursday evening'),
      body: cyEn(
        'Bydd Côr y Cwm yn canu yn y capel ar {date:+1}, am ddim. Dewch i eistedd yn y galeri cyn penderfynu.',
        'Côr y Cwm sings in the chapel on {date:+1}, free of charge. Come and sit in the gallery before you decide.',
      ),
      day: -5,
    },
  ],
  surveys: [
    {
      slug: 'pedwar-syniad',
      title: cyEn('Pedwar syniad', 'Four ideas'),
      intro: cyEn('Tri chwestiwn, tair munud.', 'Three questions, three minutes.'),
      thanks: cyEn(
        'Diolch. Dewch i’r cyfarfod yn y capel i glywed y canlyniad.',
        'Thank you. Come to the meeting in the chapel to hear the result.',
      ),
      status: 'published',
      access: 'anyone',
      anonymous: true,
      variant: 'classic',
      minutes: 3,
      pages: [
        page(
          'p1',
          cyEn('Y capel', 'The chapel'),
          oneChoice(
            'q_syniad',
            cyEn('Pa syniad sydd orau gennych chi?', 'Which idea do you like best?'),
            [
              option('theatr', cyEn('Theatr a stiwdio', 'Theatre and studio')),
              option('marchnad', cyEn('Marchnad a chaffi', 'Market and café')),
              option('cartrefi', cyEn('Cartrefi', 'Homes')),
              option('tawel', cyEn('Lle tawel', 'A quiet place')),
              otherOption(cyEn('Syniad arall, nodwch', 'Another idea, please say')),
            ],
            { required: true },
          ),
          rating(
            'q_defnydd',
            cyEn('Pa mor aml fyddech chi’n dod?', 'How often would you come?'),
            cyEn('Byth', 'Never'),
            cyEn('Bob wythnos', 'Every week'),
          ),
          longText('q_cof', cyEn('Oes gennych chi atgof o Seion?', 'Do you have a memory of Seion?')),
        ),
      ],
      crowd: {
        people: 358,
        usual: { q_syniad: { o_theatr: 34, o_marchnad: 29, o_cartrefi: 20, o_tawel: 14, o_other: 3 }, q_defnydd: 3.3, q_cof: 0.4 },
        kinds: [
          { name: 'ifanc', share: 40, leans: { q_syniad: { o_theatr: 1.6, o_cartrefi: 1.3, o_tawel: 0.4 }, q_defnydd: 0.3 } },
          { name: 'hyn', share: 60, leans: { q_syniad: { o_tawel: 1.6, o_marchnad: 1.2 }, q_cof: 1.5 } },
        ],
        words: {
          q_cof: {
            all: {
              cy: [
                'Cymanfa Ganu 1974, a’r galeri’n crynu.',
                'Priodais yno yn y glaw ym mis Awst.',
                'Fan’na ddysgais i ddarllen sol-ffa.',
                'Te parti’r Ysgol Sul, a’r bara brith.',
                'Angladd Dad, a phawb yn canu fel un.',
                'Oerfel y seddau!',
              ],
              en: [
                'The singing festival of 1974, and the gallery shaking.',
                'I married there in the rain, in August.',
                'Sunday school tea, and the bara brith.',
                'My father’s funeral, everyone singing as one.',
                'How cold the pews were!',
                'Only from outside. I would love to see in.',
              ],
            },
          },
          'q_syniad.other': {
            all: {
              cy: ['Canolfan ddringo', 'Gofod i fusnesau bach', 'Bragdy'],
              en: ['A climbing centre', 'Workspace for small firms', 'A brewery'],
            },
          },
        },
      },
    },
  ],
}
