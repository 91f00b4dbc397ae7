import { longText, oneChoice, option, page, rating, severalChoices } from '../questions.ts'
import { cyEn } from '../texts.ts'
import type { DemoProject } from '../types.ts'

export const llyfrgelloedd: DemoProject = {
  slug: 'oriau-r-llyfrgelloedd',
  hub: 'diwylliant-a-hamdden',
  topic: 'diwylliant',
  title: cyEn('Oriau newydd i’r llyfrgelloedd', 'New hours for the libraries'),
  summary: cyEn(
    'Pum llyfrgell, yr un nifer o oriau, ond pryd? Yn agor cyn bo hir.',
    'Five libraries, the same number of hours, but when? Opens soon.',
  ),
  body: cyEn(
    `Mae’r llyfrgelloedd ar agor pan fydd pobl yn y gwaith ac ar gau pan fyddant gartref. Gallwn symud yr oriau heb wario ceiniog yn fwy, ond bydd rhywun yn colli bore.

Cyn i’r arolwg agor, cadwch ddyddiadur bach: pryd fuoch chi yn y llyfrgell, a phryd hoffech chi fod wedi bod?`,
    `The libraries are open when people are at work and closed when they are at home. We can move the hours without spending a penny more, but someone will lose a morning.

Before the survey opens, keep a small diary: when were you in the library, and when would you have liked to be?`,
  ),
  picture: '/demo/dyffryn/llyfrgelloedd.svg',
  pictureAlt: cyEn('Darlun o lyfrgell fach â golau yn y ffenestri fin nos', 'Drawing of a small library with lit windows in the evening'),
  status: 'published',
  opens: 9,
  closes: 47,
  team: [{ name: 'Catrin Ellis', role: cyEn('Llyfrgellydd y sir', 'County librarian'), email: 'catrin.ellis' }],
  dates: [
    { title: cyEn('Agor yr arolwg', 'Survey opens'), day: 9 },
    { title: cyEn('Cau’r arolwg', 'Survey closes'), day: 47 },
  ],
  documents: [],
  updates: [],
  surveys: [
    {
      slug: 'pryd',
      title: cyEn('Pryd?', 'When?'),
      intro: cyEn('Dau gwestiwn am eich wythnos.', 'Two questions about your week.'),
      thanks: cyEn('Diolch.', 'Thank you.'),
      status: 'published',
      minutes: 2,
      pages: [
        page(
          'p1',
          cyEn('Oriau', 'Hours'),
          severalChoices(
            'q_pryd',
            cyEn('Pryd fyddech chi’n dod?', 'When would you come?'),
            [
              option('bore', cyEn('Yn y bore', 'In the morning')),
              option('prynhawn', cyEn('Yn y prynhawn', 'In the afternoon')),
              option('nos', cyEn('Gyda’r nos', 'In the evening')),
              option('sadwrn', cyEn('Ar ddydd Sadwrn', 'On Saturday')),
            ],
            { required: true },
          ),
          longText('q_pam', cyEn('I beth fyddech chi’n dod?', 'What would you come for?')),
        ),
      ],
    },
  ],
}

export const strategaethGymraeg: DemoProject = {
  slug: 'strategaeth-y-gymraeg',
  hub: 'diwylliant-a-hamdden',
  topic: 'y-gymraeg',
  title: cyEn('Ble fyddwch chi’n siarad Cymraeg?', 'Where do you speak Welsh?'),
  summary: cyEn(
    'Strategaeth bum mlynedd newydd: llai am ddysgu, mwy am ddefnyddio.',
    'A new five-year strategy: less about learning, more about using.',
  ),
  body: cyEn(
    `Mae 58 o bob cant ohonom yn siarad Cymraeg. Mae llawer llai yn ei defnyddio yn y siop, yn y clwb pêl-droed neu ar ffurflen y cyngor.

Hoffem wybod ble mae’r Gymraeg yn hawdd i chi, ble mae’n anodd, a beth fyddai’n helpu. Mae croeso i bawb ateb: siaradwyr, dysgwyr, a’r rhai sydd heb air o Gymraeg.`,
    `Fifty-eight in every hundred of us speak Welsh. Far fewer use it in the shop, at the football club or on a council form.

We would like to know where Welsh is easy for you, where it is hard, and what would help. Everyone is welcome to answer: speakers, learners, and those who have not a word of it.`,
  ),
  picture: '/demo/dyffryn/strategaeth-y-gymraeg.svg',
  pictureAlt: cyEn('Darlun o bobl yn sgwrsio wrth gownter siop', 'Drawing of people chatting at a shop counter'),
  status: 'scheduled',
  publishes: 5,
  opens: 7,
  closes: 60,
  team: [{ name: 'Gwenno Hedd', role: cyEn('Swyddog y Gymraeg', 'Welsh language officer'), email: 'gwenno.hedd' }],
  dates: [{ title: cyEn('Agor yr arolwg', 'Survey opens'), day: 7 }],
  documents: [],
  updates: [],
  surveys: [
    {
      slug: 'ble',
      title: cyEn('Ble?', 'Where?'),
      intro: cyEn('Tri chwestiwn, yn eich dewis iaith.', 'Three questions, in the language you choose.'),
      thanks: cyEn('Diolch.', 'Thank you.'),
      status: 'draft',
      minutes: 4,
      pages: [
        page(
          'p1',
          cyEn('Eich Cymraeg chi', 'Your Welsh'),
          oneChoice(
            'q_gallu',
            cyEn('Faint o Gymraeg sydd gennych chi?', 'How much Welsh do you have?'),
            [
              option('rhugl', cyEn('Rwy’n rhugl', 'I am fluent')),
              option('dysgu', cyEn('Rwy’n dysgu', 'I am learning')),
              option('ychydig', cyEn('Ychydig eiriau', 'A few words')),
              option('dim', cyEn('Dim', 'None')),
            ],
            { required: true },
          ),
          severalChoices('q_ble', cyEn('Ble fyddwch chi’n ei defnyddio?', 'Where do you use it?'), [
            option('cartref', cyEn('Gartref', 'At home')),
            option('gwaith', cyEn('Yn y gwaith', 'At work')),
            option('siop', cyEn('Yn y siop', 'In the shop')),
            option('chwaraeon', cyEn('Mewn chwaraeon', 'In sport')),
          ]),
          longText('q_help', cyEn('Beth fyddai’n helpu?', 'What would help?')),
        ),
      ],
    },
  ],
}

export const cynllunDatblygu: DemoProject = {
  slug: 'chwe-chant-o-gartrefi',
  hub: 'tai-a-chynllunio',
  topic: 'tai',
  title: cyEn('Ble bydd y chwe chant o gartrefi nesaf?', 'Where will the next six hundred homes be?'),
  summary: cyEn(
    'Cynllun datblygu newydd y sir: pedwar pentref, un dref, a llawer o gwestiynau.',
    'The county’s new development plan: four villages, one town and many questions.',
  ),
  body: cyEn(
    `Mae angen 600 o gartrefi ar y sir dros y deng mlynedd nesaf, a dylai eu hanner fod yn rhai y gall pobl leol eu fforddio. Nid oes lle i bob un ohonynt yn y dref, ac nid oes pibellau i bob un ohonynt yn y pentrefi.

Mae’r drafft hwn yn dangos pum map. Bydd yn mynd gerbron y cyhoedd pan fydd y cabinet wedi’i weld.`,
    `The county needs 600 homes over the next ten years, and half of them should be ones that local people can afford. There is no room for all of them in the town, and there are no pipes for all of them in the villages.

This draft shows five maps. It goes before the public when the cabinet has seen it.`,
  ),
  picture: '/demo/dyffryn/chwe-chant-o-gartrefi.svg',
  pictureAlt: cyEn('Darlun o dai newydd â sgaffaldiau ar lethr gwyrdd', 'Drawing of new houses with scaffolding on a green slope'),
  status: 'in_review',
  opens: 20,
  closes: 76,
  team: [{ name: 'Iolo Parry', role: cyEn('Prif swyddog cynllunio', 'Chief planning officer'), email: 'iolo.parry' }],
  dates: [],
  documents: [],
  updates: [],
  surveys: [],
}

export const gwylYCwm: DemoProject = {
  slug: 'gwyl-y-cwm',
  hub: 'diwylliant-a-hamdden',
  topic: 'diwylliant',
  title: cyEn('Gŵyl y Cwm: tridiau ym mis Mehefin', 'The valley festival: three days in June'),
  summary: cyEn(
    'Côr, band, cneifio, a llwyfan i bawb. Beth hoffech chi ei weld?',
    'A choir, a band, shearing, and a stage for everyone. What would you like to see?',
  ),
  body: cyEn(
    `Nid oes gŵyl wedi bod yn y cwm ers {year:-7}. Mae’r arian yno ar gyfer un, os dywedwch chi sut un.

Drafft yw hwn. Mae’r tîm yn dal i ysgrifennu’r cwestiynau.`,
    `There has been no festival in the valley since {year:-7}. The money is there for one, if you say what kind.

This is a draft. The team is still writing the questions.`,
  ),
  picture: '/demo/dyffryn/gwyl-y-cwm.svg',
  pictureAlt: cyEn('Darlun o lwyfan a baneri bach mewn cae', 'Drawing of a stage and bunting in a field'),
  status: 'draft',
  opens: 25,
  closes: 60,
  team: [{ name: 'Nia Probert', role: cyEn('Digwyddiadau', 'Events'), email: 'nia.probert' }],
  dates: [],
  documents: [],
  updates: [],
  surveys: [
    {
      slug: 'eich-gwyl',
      title: cyEn('Eich gŵyl chi', 'Your festival'),
      intro: cyEn('Un cwestiwn, am y tro.', 'One question, for now.'),
      thanks: cyEn('Diolch.', 'Thank you.'),
      status: 'draft',
      minutes: 1,
      pages: [
        page('p1', cyEn('Yr ŵyl', 'The festival'), longText('q_gwyl', cyEn('Beth hoffech chi ei weld?', 'What would you like to see?'))),
      ],
    },
  ],
}

export const fforwmIeuenctid: DemoProject = {
  slug: 'fforwm-ieuenctid',
  hub: 'addysg',
  topic: 'addysg',
  title: cyEn('Fforwm Ieuenctid: eich arian chi', 'Youth forum: your money'),
  summary: cyEn('I aelodau’r fforwm: 25,000 o bunnoedd i’w rhannu.', 'For members of the forum: 25,000 pounds to share out.'),
  body: cyEn(
    `Mae pum cais wedi dod i law. Mae digon o arian ar gyfer tri. Chi sy’n dewis, a neb arall.

Dim ond aelodau’r fforwm sy’n gweld y dudalen hon.`,
    `Five bids have come in. There is enough money for three. You choose, and nobody else.

Only members of the forum see this page.`,
  ),
  picture: '/demo/dyffryn/fforwm-ieuenctid.svg',
  pictureAlt: cyEn('Darlun o bobl ifanc yn pleidleisio â’u dwylo i fyny', 'Drawing of young people voting with raised hands'),
  status: 'published',
  visibility: 'members',
  opens: -12,
  closes: 20,
  team: [{ name: 'Owain Gruffudd', role: cyEn('Gweithiwr ieuenctid', 'Youth worker'), email: 'owain.gruffudd' }],
  dates: [{ title: cyEn('Cyfarfod y fforwm', 'The forum meets'), day: 22, precision: 'time' }],
  documents: [],
  updates: [],
  surveys: [
    {
      slug: 'pum-cais',
      title: cyEn('Pum cais', 'Five bids'),
      intro: cyEn('Dewiswch dri.', 'Choose three.'),
      thanks: cyEn('Diolch. Cawn gyfri’r pleidleisiau gyda’n gilydd.', 'Thank you. We will count the votes together.'),
      status: 'published',
      access: 'members',
      minutes: 2,
      pages: [
        page(
          'p1',
          cyEn('Y ceisiadau', 'The bids'),
          severalChoices(
            'q_cais',
            cyEn('Pa dri?', 'Which three?'),
            [
              option('bws', cyEn('Bws nos Wener', 'A Friday night bus')),
              option('stiwdio', cyEn('Stiwdio gerddoriaeth', 'A music studio')),
              option('sglefrio', cyEn('Goleuadau i’r parc sglefrio', 'Lights for the skate park')),
              option('iechyd', cyEn('Rhywun i siarad â nhw', 'Someone to talk to')),
              option('beics', cyEn('Gweithdy beics', 'A bike workshop')),
            ],
            { required: true, minChoices: 1, maxChoices: 3 },
          ),
          longText('q_pam', cyEn('Pam?', 'Why?')),
        ),
      ],
      crowd: {
        people: 33,
        usual: { q_cais: { o_bws: 0.7, o_stiwdio: 0.5, o_sglefrio: 0.35, o_iechyd: 0.6, o_beics: 0.4 }, q_pam: 0.5 },
        kinds: [{ name: 'pawb', share: 1 }],
        words: {
          q_pam: {
            all: {
              cy: [
                'Does dim byd i’w wneud ar ôl chwech.',
                'Mae’r rhestr aros am gwnsela’n rhy hir.',
                'Achos bod y parc yn dywyll drwy’r gaeaf.',
              ],
              en: [
                'There is nothing to do after six.',
                'The waiting list for counselling is too long.',
                'Because the park is dark all winter.',
              ],
            },
          },
        },
      },
    },
  ],
}

export const arwyddion: DemoProject = {
  slug: 'arwyddion-newydd',
  hub: 'trafnidiaeth',
  topic: 'y-gymraeg',
  title: cyEn('Arwyddion newydd: prawf darllen', 'New signs: a reading test'),
  summary: cyEn('Cudd nes bydd yr arwyddion yn eu lle.', 'Hidden until the signs are in place.'),
  body: cyEn(
    'Bydd deuddeg arwydd yn rhoi’r Gymraeg yn gyntaf ac mewn lliw gwahanol. Rydym am wybod pa un sydd hawsaf ei ddarllen wrth yrru, cyn newid y gweddill. Mae’r dudalen yn gudd am y tro.',
    'Twelve signs will put Welsh first and in a different colour. We want to know which is easiest to read while driving before we change the rest. The page is hidden for now.',
  ),
  picture: '/demo/dyffryn/arwyddion-newydd.svg',
  pictureAlt: cyEn('Darlun o arwyddion ffordd wrth groesffordd fynyddig', 'Drawing of road signs at a mountain crossroads'),
  status: 'published',
  visibility: 'hidden',
  opens: -2,
  closes: 50,
  team: [{ name: 'Gethin Morris', role: cyEn('Pennaeth trafnidiaeth', 'Head of transport'), email: 'gethin.morris' }],
  dates: [],
  documents: [],
  updates: [],
  surveys: [
    {
      slug: 'prawf-darllen',
      title: cyEn('Prawf darllen', 'Reading test'),
      intro: cyEn('Un cwestiwn.', 'One question.'),
      thanks: cyEn('Diolch.', 'Thank you.'),
      status: 'draft',
      minutes: 1,
      pages: [
        page(
          'p1',
          cyEn('Arwydd', 'Sign'),
          rating(
            'q_hawdd',
            cyEn('Pa mor hawdd oedd ei ddarllen?', 'How easy was it to read?'),
            cyEn('Anodd', 'Hard'),
            cyEn('Hawdd', 'Easy'),
          ),
        ),
      ],
    },
  ],
}
