import { longText, oneChoice, option, page, rating, severalChoices } from '../questions.ts'
import { enFr } from '../texts.ts'
import type { DemoProject } from '../types.ts'

export const nightMarket: DemoProject = {
  slug: 'night-market',
  hub: 'libraries-culture',
  topic: 'culture',
  title: enFr('A night market on Canal Street', 'Un marché de nuit rue Canal'),
  summary: enFr(
    'Eight Fridays, forty stalls, one street without cars. Would you come?',
    'Huit vendredis, quarante étals, une rue sans voitures. Viendriez-vous?',
  ),
  body: enFr(
    `Canal Street goes quiet at six. On eight Fridays next summer it could fill with food, music and things made by people who live here.

Before we ask for permits we would like to know what would bring you, and what would keep you awake if you live upstairs.`,
    `La rue Canal s’endort à 18 heures. Huit vendredis de l’été prochain, elle pourrait se remplir de cuisine, de musique et d’objets faits ici.

Avant de demander les permis, nous aimerions savoir ce qui vous y attirerait et, si vous habitez à l’étage, ce qui vous empêcherait de dormir.`,
  ),
  picture: '/demo/riverbend/night-market.svg',
  pictureAlt: enFr('Drawing of market stalls under strings of lights', 'Dessin d’étals sous des guirlandes lumineuses'),
  status: 'draft',
  opens: 30,
  closes: 70,
  team: [{ name: 'Malik Joseph', role: enFr('Festivals', 'Festivals'), email: 'malik.joseph' }],
  dates: [],
  documents: [],
  updates: [],
  surveys: [
    {
      slug: 'would-you-come',
      title: enFr('Would you come?', 'Viendriez-vous?'),
      intro: enFr('Two questions.', 'Deux questions.'),
      thanks: enFr('Thank you.', 'Merci.'),
      status: 'draft',
      minutes: 2,
      pages: [
        page(
          'p1',
          enFr('Fridays', 'Les vendredis'),
          severalChoices(
            'q_bring',
            enFr('What would bring you?', 'Qu’est-ce qui vous y attirerait?'),
            [
              option('food', enFr('Food', 'La cuisine')),
              option('music', enFr('Music', 'La musique')),
              option('crafts', enFr('Crafts', 'L’artisanat')),
            ],
            { required: true },
          ),
          longText('q_worry', enFr('What worries you?', 'Qu’est-ce qui vous inquiète?')),
        ),
      ],
    },
  ],
}

export const backyardHomes: DemoProject = {
  slug: 'backyard-homes',
  hub: 'planning-housing',
  topic: 'housing',
  title: enFr('Small homes in big backyards', 'De petites maisons dans de grandes cours'),
  summary: enFr(
    'Should a yard of 400 square metres be allowed a second, smaller home?',
    'Une cour de 400 mètres carrés devrait-elle pouvoir accueillir une deuxième maison, plus petite?',
  ),
  body: enFr(
    `A grandmother near her grandchildren, a student close to the college, a mortgage that gets paid: a small home behind the big one can be all three. It can also be a wall where there used to be sun.

Zoning allows it today on 300 lots. A change we are drafting would allow it on 6,200, with rules for height, windows, trees and parking. We want to write those rules with the people on both sides of the fence.`,
    `Une grand-mère près de ses petits-enfants, une étudiante à deux pas du collège, une hypothèque qui se paie : une petite maison derrière la grande peut être tout cela. Elle peut aussi être un mur là où il y avait du soleil.

Le zonage l’autorise aujourd’hui sur 300 terrains. La modification que nous préparons l’autoriserait sur 6 200, avec des règles de hauteur, de fenêtres, d’arbres et de stationnement. Nous voulons écrire ces règles avec les gens des deux côtés de la clôture.`,
  ),
  picture: '/demo/riverbend/backyard-homes.svg',
  pictureAlt: enFr(
    'Drawing of a small cedar home behind a brick house',
    'Dessin d’une petite maison de cèdre derrière une maison de brique',
  ),
  status: 'in_review',
  opens: 14,
  closes: 60,
  team: [{ name: 'Ingrid Schultz', role: enFr('Senior planner', 'Urbaniste principale'), email: 'ingrid.schultz' }],
  dates: [{ title: enFr('Public meeting', 'Assemblée publique'), day: 35, precision: 'month' }],
  documents: [],
  updates: [],
  surveys: [
    {
      slug: 'both-sides-of-the-fence',
      title: enFr('Both sides of the fence', 'Des deux côtés de la clôture'),
      intro: enFr(
        'Three questions about rules that a neighbour could live with.',
        'Trois questions sur des règles avec lesquelles on peut vivre entre voisins.',
      ),
      thanks: enFr('Thank you.', 'Merci.'),
      status: 'draft',
      minutes: 4,
      pages: [
        page(
          'p1',
          enFr('Rules', 'Les règles'),
          oneChoice(
            'q_height',
            enFr('How high may it be?', 'Quelle hauteur maximale?'),
            [
              option('one', enFr('One floor', 'Un étage')),
              option('half', enFr('One and a half', 'Un étage et demi')),
              option('two', enFr('Two floors', 'Deux étages')),
            ],
            { required: true },
          ),
          rating(
            'q_welcome',
            enFr('How would you feel about one next door?', 'Que diriez-vous d’en avoir une à côté?'),
            enFr('Against', 'Contre'),
            enFr('Glad', 'Ravi'),
          ),
          longText('q_rule', enFr('Which rule matters most to you?', 'Quelle règle compte le plus pour vous?')),
        ),
      ],
    },
  ],
}

export const youthCouncil: DemoProject = {
  slug: 'youth-council',
  hub: null,
  topic: 'youth',
  title: enFr('Youth council: what comes next', 'Conseil jeunesse : la suite'),
  summary: enFr(
    'For the members of the youth council: choose this year’s three causes.',
    'Pour les membres du conseil jeunesse : choisissez les trois causes de l’année.',
  ),
  body: enFr(
    `You have 40,000 dollars, one vote on the parks committee and a year. Last year’s council left you a list of nine ideas and a note that says “do fewer, finish them”.

Only members of the youth council see this page. What you write here stays here until you decide to publish it.`,
    `Vous disposez de 40 000 dollars, d’une voix au comité des parcs et d’une année. Le conseil de l’an dernier vous a laissé neuf idées et une note : « faites-en moins, mais finissez-les ».

Seuls les membres du conseil jeunesse voient cette page. Ce que vous y écrivez y reste jusqu’à ce que vous décidiez de le publier.`,
  ),
  picture: '/demo/riverbend/youth-council.svg',
  pictureAlt: enFr(
    'Drawing of young people around a table with speech bubbles above',
    'Dessin de jeunes autour d’une table, des bulles au-dessus d’eux',
  ),
  status: 'published',
  visibility: 'members',
  opens: -20,
  closes: 15,
  team: [{ name: 'Leïla Haddad', role: enFr('Youth worker', 'Intervenante jeunesse'), email: 'leila.haddad' }],
  dates: [{ title: enFr('Council meets', 'Réunion du conseil'), day: 17, precision: 'time' }],
  documents: [],
  updates: [
    {
      slug: 'youth-council-pizza',
      title: enFr('Bring a friend on {date:+17}', 'Amenez quelqu’un le {date:+17}'),
      body: enFr('There will be pizza, and the bus home is paid for.', 'Il y aura de la pizza, et le retour en autobus est payé.'),
      day: -4,
    },
  ],
  surveys: [
    {
      slug: 'three-causes',
      title: enFr('Three causes', 'Trois causes'),
      intro: enFr('Two questions, for members only.', 'Deux questions, réservées aux membres.'),
      thanks: enFr('Thank you. We count together at the meeting.', 'Merci. Nous compterons ensemble à la réunion.'),
      status: 'published',
      access: 'members',
      minutes: 2,
      pages: [
        page(
          'p1',
          enFr('This year', 'Cette année'),
          severalChoices(
            'q_causes',
            enFr('Which three?', 'Lesquelles?'),
            [
              option('night', enFr('Late buses on Fridays', 'Des autobus tard le vendredi')),
              option('room', enFr('A room of our own', 'Un local à nous')),
              option('mind', enFr('Someone to talk to at school', 'Quelqu’un à qui parler à l’école')),
              option('skate', enFr('Lights at the skate park', 'De l’éclairage au planchodrome')),
              option('jobs', enFr('First jobs', 'Un premier emploi')),
              option('climate', enFr('A say on climate', 'Une voix sur le climat')),
            ],
            { required: true, minChoices: 1, maxChoices: 3 },
          ),
          longText('q_say', enFr('Say why.', 'Dites pourquoi.')),
        ),
      ],
      crowd: {
        people: 37,
        usual: { q_causes: { o_night: 0.6, o_room: 0.45, o_mind: 0.62, o_skate: 0.3, o_jobs: 0.4, o_climate: 0.36 }, q_say: 0.5 },
        kinds: [{ name: 'everyone', share: 1 }],
        words: {
          q_say: {
            all: {
              en: [
                'Last bus is at eleven and the movie ends at half past.',
                'Because the guidance office has a waiting list of two months.',
                'We meet in a storage room. With the Christmas tree.',
                'Nobody hires you without experience and nobody gives you any.',
                'We will be here the longest.',
              ],
              'fr-CA': [
                'Le dernier autobus est à 23 h et le film finit à 23 h 30.',
                'Deux mois d’attente pour voir quelqu’un à l’école.',
                'On se réunit dans un débarras, avec le sapin de Noël.',
                'Sans expérience, personne ne t’embauche.',
              ],
            },
          },
        },
      },
    },
  ],
}
