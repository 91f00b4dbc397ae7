import { longText, oneChoice, option, page, rating, severalChoices, shortText } from '../questions.ts'
import { enFr } from '../texts.ts'
import type { DemoProject } from '../types.ts'

export const schoolCrossings: DemoProject = {
  slug: 'school-crossings',
  hub: 'transportation',
  topic: 'safety',
  title: enFr('Safer crossings to school', 'Des traversées plus sûres vers l’école'),
  summary: enFr(
    'Twelve crossings near schools will be rebuilt next summer. Show us which ones frighten you.',
    'Douze traversées près des écoles seront refaites l’été prochain. Montrez-nous celles qui vous font peur.',
  ),
  body: enFr(
    `Last year four children were hurt on their way to school. None of the four crossings was on our list, because our list counts crashes, and at a corner that frightens everyone nobody crosses.

So this time we ask first. Name the corner, tell us what happens there, and say what would help. Children may answer too: the survey is short, and a class can do it together.

## What can be built
Raised crossings, shorter distances, lights that turn at the push of a button, speed cushions, and crossing guards where nothing else works.`,
    `L’an dernier, quatre enfants ont été blessés en allant à l’école. Aucune des quatre traversées ne figurait sur notre liste, parce qu’elle compte les collisions, et qu’à un coin qui fait peur à tout le monde, personne ne traverse.

Cette fois, nous posons donc la question d’abord. Nommez le coin, dites ce qui s’y passe et ce qui aiderait. Les enfants peuvent répondre aussi : le sondage est court, et une classe peut le faire ensemble.

## Ce qu’on peut bâtir
Des passages surélevés, des distances plus courtes, des feux à bouton, des coussins ralentisseurs et, là où rien d’autre ne suffit, des brigadières et brigadiers.`,
  ),
  picture: '/demo/riverbend/school-crossings.svg',
  pictureAlt: enFr(
    'Drawing of two children with school bags at a striped crossing',
    'Dessin de deux enfants avec leur sac d’école devant un passage piéton',
  ),
  status: 'published',
  opens: -26,
  closes: 2,
  place: {
    address: enFr('Around the city’s 23 elementary schools', 'Autour des 23 écoles primaires de la ville'),
    lat: 45.0301,
    lng: -74.7352,
  },
  team: [{ name: 'Hélène Gagnon', role: enFr('Road safety engineer', 'Ingénieure en sécurité routière'), email: 'helene.gagnon' }],
  dates: [
    { title: enFr('Survey opens', 'Ouverture du sondage'), day: -26 },
    { title: enFr('Survey closes', 'Clôture du sondage'), day: 2 },
    { title: enFr('Twelve crossings named', 'Annonce des douze traversées'), day: 40 },
    { title: enFr('Construction', 'Travaux'), day: 230, precision: 'season' },
  ],
  documents: [],
  updates: [
    {
      slug: 'crossings-last-days',
      title: enFr('Two days left, and three schools missing', 'Deux jours encore, et trois écoles manquent à l’appel'),
      body: enFr(
        'We have nothing yet from families at Heron Park, Sainte-Anne and Third Street schools. If you know someone there, pass this on.',
        'Nous n’avons encore rien des familles des écoles du Parc-du-Héron, Sainte-Anne et de la 3e Rue. Si vous y connaissez quelqu’un, passez le mot.',
      ),
      day: -1,
    },
  ],
  surveys: [
    {
      slug: 'your-corner',
      title: enFr('The corner that frightens you', 'Le coin de rue qui vous fait peur'),
      intro: enFr(
        'Four questions. One corner per answer; answer again for another corner.',
        'Quatre questions. Un coin par réponse; répondez de nouveau pour un autre coin.',
      ),
      thanks: enFr(
        'Thank you. An engineer will stand at the twenty corners named most often before any is chosen.',
        'Merci. Une ingénieure se rendra aux vingt coins les plus nommés avant tout choix.',
      ),
      status: 'published',
      access: 'anyone',
      anonymous: true,
      variant: 'classic',
      minutes: 3,
      pages: [
        page(
          'p1',
          enFr('Your corner', 'Votre coin'),
          shortText('q_where', enFr('Which corner?', 'Quel coin de rue?'), {
            required: true,
            minLength: 3,
            help: enFr('Two street names, or a school and a street.', 'Deux noms de rue, ou une école et une rue.'),
          }),
          severalChoices(
            'q_what',
            enFr('What is wrong there?', 'Qu’est-ce qui ne va pas?'),
            [
              option('speed', enFr('Cars go too fast', 'On roule trop vite')),
              option('seen', enFr('Drivers cannot see children', 'On ne voit pas les enfants')),
              option('far', enFr('It is too far across', 'La rue est trop large')),
              option('time', enFr('The light is too short', 'Le feu est trop court')),
              option('turn', enFr('Turning cars do not stop', 'Les autos qui tournent n’arrêtent pas')),
              option('snow', enFr('Snow banks in winter', 'Les bancs de neige en hiver')),
            ],
            { required: true },
          ),
          rating('q_fear', enFr('How safe is it?', 'Est-ce sûr?'), enFr('Dangerous', 'Dangereux'), enFr('Safe', 'Sûr')),
          oneChoice('q_who', enFr('Who is answering?', 'Qui répond?'), [
            option('parent', enFr('A parent or grandparent', 'Un parent ou grand-parent')),
            option('child', enFr('A child, or a class', 'Un enfant, ou une classe')),
            option('staff', enFr('Someone who works at a school', 'Quelqu’un qui travaille dans une école')),
            option('neighbour', enFr('A neighbour', 'Une voisine ou un voisin')),
          ]),
        ),
      ],
      crowd: {
        people: 263,
        usual: {
          q_where: 1,
          q_what: { o_speed: 0.58, o_seen: 0.32, o_far: 0.22, o_time: 0.19, o_turn: 0.41, o_snow: 0.3 },
          q_fear: 2.1,
          q_who: { o_parent: 62, o_child: 12, o_staff: 9, o_neighbour: 17 },
        },
        kinds: [
          { name: 'everyone', share: 3 },
          { name: 'child', share: 1, leans: { q_who: { o_child: 20 }, q_fear: -0.4, q_what: { o_far: 1.8, o_time: 1.8 } } },
        ],
        words: {
          q_where: {
            all: {
              en: [
                'Canal and Fern',
                'Elm and Third',
                'Northgate School and Cedar Street',
                'Heron Park Road by the daycare',
                'River Road at the arena',
                'Third Street and Maple',
                'Fern Street in front of the library',
                'Cedar and Spruce',
                'The four-way stop at Elm',
                'Harbour Road and the bike path',
              ],
              'fr-CA': [
                'Canal et Fern',
                'Elm et 3e',
                'École Northgate et rue Cedar',
                'École Sainte-Anne et rue Maple',
                'Chemin de la Rivière, à l’aréna',
                'Devant la bibliothèque, rue Fern',
              ],
            },
          },
        },
      },
    },
  ],
}

export const winterSidewalks: DemoProject = {
  slug: 'winter-sidewalks',
  hub: 'transportation',
  topic: 'transport',
  title: enFr('Clear sidewalks by eight', 'Des trottoirs dégagés à huit heures'),
  summary: enFr(
    'A new order for clearing snow: schools, stops and ramps first. Opens soon.',
    'Un nouvel ordre de déneigement : écoles, arrêts et rampes d’abord. Bientôt ouvert.',
  ),
  body: enFr(
    `After a snowfall we clear 1,140 kilometres of sidewalk in an order drawn up in 1987. It follows the snowplows’ garages, not the people who walk.

We have drafted a new order that starts with schools, bus stops, clinics and curb ramps. It costs no more, but some quiet streets would wait four hours longer. Before we try it, we want to hear from both.`,
    `Après une chute de neige, nous dégageons 1 140 kilomètres de trottoirs dans un ordre établi en 1987. Il suit les garages des chenillettes, pas les gens qui marchent.

Nous proposons un nouvel ordre qui commence par les écoles, les arrêts d’autobus, les cliniques et les bateaux de trottoir. Il ne coûte pas plus cher, mais certaines rues tranquilles attendraient quatre heures de plus. Avant l’essai, nous voulons entendre tout le monde.`,
  ),
  picture: '/demo/riverbend/winter-sidewalks.svg',
  pictureAlt: enFr(
    'Drawing of a small plow clearing a snowy sidewalk at dawn',
    'Dessin d’une chenillette qui dégage un trottoir enneigé à l’aube',
  ),
  status: 'published',
  opens: 12,
  closes: 54,
  team: [{ name: 'Greg Papineau', role: enFr('Winter operations', 'Opérations hivernales'), email: 'greg.papineau' }],
  dates: [
    { title: enFr('Survey opens', 'Ouverture du sondage'), day: 12 },
    { title: enFr('Survey closes', 'Clôture du sondage'), day: 54 },
  ],
  documents: [],
  updates: [],
  surveys: [
    {
      slug: 'who-goes-first',
      title: enFr('Who goes first?', 'Qui passe en premier?'),
      intro: enFr(
        'Three questions about the sidewalk outside your door and the one you need most.',
        'Trois questions sur le trottoir devant chez vous et sur celui dont vous avez le plus besoin.',
      ),
      thanks: enFr(
        'Thank you. The trial starts with the first big snowfall after the survey.',
        'Merci. L’essai commence à la première grosse bordée après le sondage.',
      ),
      status: 'published',
      minutes: 3,
      pages: [
        page(
          'p1',
          enFr('Snow', 'La neige'),
          oneChoice(
            'q_wait',
            enFr('Could your own street wait four hours longer?', 'Votre rue pourrait-elle attendre quatre heures de plus?'),
            [
              option('yes', enFr('Yes', 'Oui')),
              option('depends', enFr('It depends on the day', 'Ça dépend du jour')),
              option('no', enFr('No', 'Non')),
            ],
            { required: true },
          ),
          rating(
            'q_now',
            enFr('How well are sidewalks cleared today?', 'Les trottoirs sont-ils bien dégagés aujourd’hui?'),
            enFr('Badly', 'Mal'),
            enFr('Well', 'Bien'),
          ),
          longText('q_need', enFr('Which stretch do you need most, and when?', 'Quel tronçon vous est le plus nécessaire, et quand?')),
        ),
      ],
    },
  ],
}

export const shelterTrial: DemoProject = {
  slug: 'shelter-trial',
  hub: 'transportation',
  topic: 'transport',
  title: enFr('Three new shelters on trial', 'Trois nouveaux abribus à l’essai'),
  summary: enFr(
    'For riders invited at the stops: which shelter keeps you warm?',
    'Pour les personnes invitées aux arrêts : quel abribus vous garde au chaud?',
  ),
  body: enFr(
    `Three shelters stand side by side at the depot, the market and the clinic until spring. The page is not listed: people find it through the poster inside each shelter.

Sit in it, wait for your bus, and tell us how it was.`,
    `Trois abribus sont installés au dépôt, au marché et à la clinique jusqu’au printemps. Cette page n’est pas répertoriée : on la trouve par l’affiche dans chaque abribus.

Asseyez-vous, attendez votre autobus et dites-nous comment c’était.`,
  ),
  picture: '/demo/riverbend/shelter-trial.svg',
  pictureAlt: enFr('Drawing of a glass bus shelter glowing in falling snow', 'Dessin d’un abribus de verre éclairé sous la neige'),
  status: 'published',
  visibility: 'link',
  opens: -15,
  closes: 60,
  team: [{ name: 'Étienne Roy', role: enFr('Transit planner', 'Planificateur du transport en commun'), email: 'etienne.roy' }],
  dates: [{ title: enFr('Trial ends', 'Fin de l’essai'), day: 60, precision: 'month' }],
  documents: [],
  updates: [],
  surveys: [
    {
      slug: 'in-the-shelter',
      title: enFr('In the shelter', 'Dans l’abribus'),
      intro: enFr('One minute while you wait.', 'Une minute pendant que vous attendez.'),
      thanks: enFr('Thank you, and safe travels.', 'Merci et bonne route.'),
      status: 'published',
      anonymous: true,
      minutes: 1,
      pages: [
        page(
          'p1',
          enFr('Here and now', 'Ici, maintenant'),
          oneChoice(
            'q_which',
            enFr('Which shelter are you in?', 'Dans quel abribus êtes-vous?'),
            [
              option('depot', enFr('Depot', 'Dépôt')),
              option('market', enFr('Market', 'Marché')),
              option('clinic', enFr('Clinic', 'Clinique')),
            ],
            { required: true },
          ),
          rating('q_warm', enFr('How warm are you?', 'Avez-vous chaud?'), enFr('Freezing', 'Je gèle'), enFr('Warm', 'Bien au chaud')),
        ),
      ],
      crowd: {
        people: 94,
        usual: { q_which: { o_depot: 22, o_market: 51, o_clinic: 27 }, q_warm: 3.2 },
        kinds: [
          { name: 'heated', share: 1, leans: { q_which: { o_market: 3 }, q_warm: 0.7 } },
          { name: 'open', share: 1, leans: { q_which: { o_depot: 2 }, q_warm: -0.8 } },
        ],
        words: {},
      },
    },
  ],
}

export const electricBuses: DemoProject = {
  slug: 'electric-buses',
  hub: 'transportation',
  topic: 'transport',
  title: enFr('Four electric buses, before they roll', 'Quatre autobus électriques, avant la mise en service'),
  summary: enFr(
    'Hidden until the first bus is here: what drivers and riders should test.',
    'Masqué jusqu’à l’arrivée du premier autobus : ce que le personnel et la clientèle devraient essayer.',
  ),
  body: enFr(
    `Four electric buses arrive this winter. For two weeks drivers, riders who use wheelchairs and people who are blind will try them at the depot before anyone buys forty more.

The page stays hidden until the delivery date is certain. Only administrators see it.`,
    `Quatre autobus électriques arrivent cet hiver. Pendant deux semaines, le personnel de conduite, des personnes en fauteuil roulant et des personnes aveugles les essaieront au dépôt avant qu’on en achète quarante autres.

La page reste masquée tant que la date de livraison n’est pas certaine. Seules les personnes qui administrent le site la voient.`,
  ),
  picture: '/demo/riverbend/electric-buses.svg',
  pictureAlt: enFr('Drawing of a green bus at a charging post', 'Dessin d’un autobus vert à la borne de recharge'),
  status: 'published',
  visibility: 'hidden',
  opens: -3,
  closes: 40,
  team: [{ name: 'Étienne Roy', role: enFr('Transit planner', 'Planificateur du transport en commun'), email: 'etienne.roy' }],
  dates: [{ title: enFr('First bus arrives', 'Arrivée du premier autobus'), day: 18, precision: 'month' }],
  documents: [],
  updates: [],
  surveys: [],
}
