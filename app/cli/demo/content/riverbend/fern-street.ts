import { buildEveryQuestionSurvey } from '../every-question.ts'
import { longText, oneChoice, option, otherOption, noneOption, page, rating, severalChoices, shortText } from '../questions.ts'
import { enFr } from '../texts.ts'
import type { DemoProject, DemoSurvey } from '../types.ts'
import { fernStreetWords } from './fern-street-words.ts'

const survey: DemoSurvey = {
  slug: 'your-trip-your-stop',
  title: enFr('Your trip, your stop', 'Votre trajet, votre arrêt'),
  intro: enFr(
    'Eight questions about how you use Fern Street and what we should build first. Your answers go to the street design team and, as totals, to Council on {date:+51}.',
    'Huit questions sur votre usage de la rue Fern et sur ce qu’il faut bâtir en premier. Vos réponses vont à l’équipe de conception et, sous forme de totaux, au conseil municipal le {date:+51}.',
  ),
  thanks: enFr(
    'Thank you. We will publish what people told us, and what changes because of it, by {date:+44}. Follow the project to hear first.',
    'Merci. Nous publierons ce que les gens nous ont dit, et ce que cela change, d’ici le {date:+44}. Suivez le projet pour en être informé en premier.',
  ),
  status: 'published',
  access: 'anyone',
  answeredByResidents: true,
  resultsPublic: false,
  minutes: 8,
  pages: [
    page(
      'p1',
      enFr('Your trips', 'Vos déplacements'),
      oneChoice(
        'q_mode',
        enFr('How do you usually travel on Fern Street?', 'Comment vous déplacez-vous habituellement rue Fern?'),
        [
          option('bus', enFr('By bus', 'En autobus')),
          option('bicycle', enFr('By bicycle', 'À vélo')),
          option('foot', enFr('On foot', 'À pied')),
          option('wheels', enFr('With a wheelchair, scooter or walker', 'En fauteuil, en quadriporteur ou avec une marchette')),
          option('car', enFr('By car', 'En voiture')),
          otherOption(enFr('Another way, please say', 'Autrement, précisez')),
        ],
        { required: true },
      ),
      oneChoice(
        'q_often',
        enFr('How often are you there?', 'À quelle fréquence y passez-vous?'),
        [
          option('daily', enFr('Every day or nearly', 'Tous les jours ou presque')),
          option('weekly', enFr('A few times a week', 'Quelques fois par semaine')),
          option('monthly', enFr('A few times a month', 'Quelques fois par mois')),
          option('rarely', enFr('Less often', 'Moins souvent')),
        ],
        { ordered: true },
      ),
      rating(
        'q_safe',
        enFr('How safe do you feel waiting at the stops today?', 'Vous sentez-vous en sécurité aux arrêts aujourd’hui?'),
        enFr('Not safe at all', 'Pas du tout'),
        enFr('Completely safe', 'Tout à fait'),
      ),
    ),
    page(
      'p2',
      enFr('The plan', 'Le projet'),
      oneChoice(
        'q_six',
        enFr(
          'If the bus came every six minutes, how would you travel on Fern Street?',
          'Si l’autobus passait toutes les six minutes, comment vous déplaceriez-vous rue Fern?',
        ),
        [
          option('bus', enFr('By bus', 'En autobus'), enFr('With a stop every 300 metres', 'Avec un arrêt tous les 300 mètres')),
          option('bicycle', enFr('By bicycle', 'À vélo'), enFr('In the shared lane', 'Dans la voie partagée')),
          option('foot', enFr('On foot', 'À pied')),
          option('car', enFr('By car', 'En voiture')),
          otherOption(enFr('Another way, please say', 'Autrement, précisez')),
        ],
        {
          required: true,
          help: enFr('Choose the one you would use most often.', 'Choisissez le moyen que vous prendriez le plus souvent.'),
        },
      ),
      severalChoices(
        'q_first',
        enFr('What should we build first?', 'Que faut-il bâtir en premier?'),
        [
          option('lanes', enFr('Bus lanes', 'Les voies réservées aux autobus')),
          option('bikes', enFr('Protected bike lanes', 'Les pistes cyclables protégées')),
          option('sidewalks', enFr('Wider sidewalks', 'Les trottoirs élargis')),
          option('crossings', enFr('Safer crossings', 'Les traversées plus sûres')),
          option('trees', enFr('Trees and shade', 'Les arbres et l’ombre')),
          option('shelters', enFr('Shelters with seats and lights', 'Les abribus avec bancs et éclairage')),
          option('loading', enFr('Loading and short-stay parking', 'Les zones de livraison et le stationnement de courte durée')),
          noneOption(enFr('None of these', 'Rien de cela')),
        ],
        { required: true, maxChoices: 3 },
      ),
      rating(
        'q_support',
        enFr('How do you feel about the plan as a whole?', 'Que pensez-vous du projet dans son ensemble?'),
        enFr('Strongly against', 'Tout à fait contre'),
        enFr('Strongly for', 'Tout à fait pour'),
      ),
    ),
    page(
      'p3',
      enFr('In your words', 'Dans vos mots'),
      longText('q_leave', enFr('What would make you leave the car at home?', 'Qu’est-ce qui vous ferait laisser la voiture à la maison?'), {
        help: enFr(
          'If you do not drive, tell us what would make the trip better.',
          'Si vous ne conduisez pas, dites-nous ce qui améliorerait le trajet.',
        ),
      }),
      shortText(
        'q_corner',
        enFr('Which stop or corner should we look at first?', 'Quel arrêt ou coin de rue devrions-nous examiner en premier?'),
      ),
    ),
  ],
  crowd: {
    people: 5214,
    usual: {
      q_mode: { o_bus: 30, o_bicycle: 12, o_foot: 22, o_wheels: 3, o_car: 31, o_other: 2 },
      q_often: { o_daily: 42, o_weekly: 34, o_monthly: 17, o_rarely: 7 },
      q_safe: 2.9,
      q_six: { o_bus: 46, o_bicycle: 15, o_foot: 18, o_car: 19, o_other: 2 },
      q_first: {
        o_lanes: 0.42,
        o_bikes: 0.28,
        o_sidewalks: 0.34,
        o_crossings: 0.4,
        o_trees: 0.36,
        o_shelters: 0.44,
        o_loading: 0.14,
        o_none: 0.02,
      },
      q_support: 3.7,
      q_leave: 0.46,
      q_corner: 0.3,
    },
    kinds: [
      {
        name: 'rider',
        share: 30,
        leans: {
          q_mode: { o_bus: 9, o_car: 0.2, o_bicycle: 0.3 },
          q_safe: -0.3,
          q_six: { o_bus: 4, o_car: 0.15 },
          q_first: { o_lanes: 1.6, o_shelters: 1.5, o_loading: 0.2, o_none: 0.1 },
          q_support: 0.6,
          q_often: { o_daily: 1.5 },
        },
      },
      {
        name: 'driver',
        share: 25,
        leans: {
          q_mode: { o_car: 12, o_bus: 0.2, o_bicycle: 0.1, o_foot: 0.3 },
          q_safe: 0.3,
          q_six: { o_car: 3, o_bicycle: 0.3 },
          q_first: { o_lanes: 0.45, o_bikes: 0.25, o_loading: 2.8, o_none: 4 },
          q_support: -1.1,
          q_leave: 1.1,
        },
      },
      {
        name: 'cyclist',
        share: 13,
        leans: {
          q_mode: { o_bicycle: 16, o_car: 0.2 },
          q_six: { o_bicycle: 8, o_car: 0.2 },
          q_first: { o_bikes: 3.1, o_crossings: 1.2, o_loading: 0.1, o_none: 0.1 },
          q_support: 0.8,
          q_leave: 1.2,
        },
      },
      {
        name: 'walker',
        share: 15,
        leans: {
          q_mode: { o_foot: 9, o_car: 0.3 },
          q_six: { o_foot: 3, o_bus: 1.3 },
          q_first: { o_sidewalks: 1.9, o_trees: 1.7, o_crossings: 1.4, o_loading: 0.3, o_none: 0.2 },
          q_support: 0.3,
        },
      },
      {
        name: 'access',
        share: 4,
        leans: {
          q_mode: { o_wheels: 70, o_car: 0.3, o_bicycle: 0.05 },
          q_safe: -0.8,
          q_six: { o_bus: 3, o_bicycle: 0.1, o_other: 6 },
          q_first: { o_sidewalks: 2, o_crossings: 1.8, o_shelters: 1.4, o_bikes: 0.3 },
          q_support: 0.2,
          q_leave: 1.6,
          q_corner: 1.6,
        },
      },
      {
        name: 'parent',
        share: 9,
        leans: {
          q_mode: { o_car: 1.4, o_foot: 1.3 },
          q_safe: -0.2,
          q_six: { o_bus: 1.2 },
          q_first: { o_crossings: 2, o_trees: 1.2, o_none: 0.3 },
          q_support: 0.2,
        },
      },
      {
        name: 'shop',
        share: 4,
        leans: {
          q_mode: { o_car: 2.2 },
          q_often: { o_daily: 4 },
          q_safe: 0.2,
          q_six: { o_car: 1.8 },
          q_first: { o_loading: 5, o_trees: 1.3, o_lanes: 0.5, o_bikes: 0.5 },
          q_support: -0.6,
          q_leave: 1.7,
        },
      },
    ],
    words: fernStreetWords,
  },
}

export const fernStreet: DemoProject = {
  slug: 'fern-street',
  hub: 'transportation',
  topic: 'transport',
  title: enFr('A faster bus on Fern Street', 'Un autobus plus rapide rue Fern'),
  summary: enFr(
    'Two lanes for buses and bikes, wider sidewalks, forty new trees. Tell us what would make you leave the car at home.',
    'Deux voies pour les autobus et les vélos, des trottoirs plus larges, quarante arbres de plus. Dites-nous ce qui vous ferait laisser la voiture à la maison.',
  ),
  body: enFr(
    `Route 7 carries 11,400 people a day along Fern Street, more than any other route in Riverbend. At rush hour it is slower than a bicycle: 31 minutes from Northgate to the market, for a trip of 5.2 kilometres.

We want to bring that down to 19 minutes, with a bus every six minutes. To do it, one traffic lane in each direction would become a lane for buses and bikes between Mill Lane and the bridge.

## What is already decided
- Council has set aside 14.2 million dollars, half of it from the province.
- Work starts at the bridge end, and no block is closed for longer than nine weeks.
- Every stop will be level with the bus floor and reachable in a wheelchair.

## What is still open
- How wide the sidewalks are, and where the forty trees go.
- Which stops stay, move or merge.
- How shops get their deliveries.
- What we build first.

## What happens with your answers
The design team reads every answer. We publish the totals, what we change because of them and what we do not change and why. Then Council votes. You can read the [traffic study](https://example.org/fern-street) behind the plan in full.`,
    `La ligne 7 transporte 11 400 personnes par jour le long de la rue Fern, plus que toute autre ligne de Riverbend. À l’heure de pointe, elle est plus lente qu’un vélo : 31 minutes de Northgate au marché, pour un trajet de 5,2 kilomètres.

Nous voulons ramener ce temps à 19 minutes, avec un autobus toutes les six minutes. Pour cela, une voie de circulation par direction deviendrait une voie pour les autobus et les vélos, entre la ruelle Mill et le pont.

## Ce qui est déjà décidé
- Le conseil a réservé 14,2 millions de dollars, dont la moitié vient de la province.
- Les travaux commencent du côté du pont, et aucun tronçon n’est fermé plus de neuf semaines.
- Chaque arrêt sera de plain-pied avec l’autobus et accessible en fauteuil roulant.

## Ce qui reste ouvert
- La largeur des trottoirs et l’emplacement des quarante arbres.
- Les arrêts qui restent, qui bougent ou qui fusionnent.
- Les livraisons aux commerces.
- Ce qu’on bâtit en premier.

## Ce que deviennent vos réponses
L’équipe de conception lit chaque réponse. Nous publions les totaux, ce que nous changeons, ce que nous ne changeons pas et pourquoi. Ensuite, le conseil vote. Vous pouvez lire en entier l’[étude de circulation](https://example.org/fern-street) à l’origine du projet.`,
  ),
  picture: '/demo/riverbend/fern-street.svg',
  pictureAlt: enFr('Drawing of a red bus on a tree-lined street', 'Dessin d’un autobus rouge dans une rue bordée d’arbres'),
  status: 'published',
  featured: true,
  opens: -41,
  closes: 23,
  place: { address: enFr('Fern Street, from Mill Lane to the bridge', 'Rue Fern, de la ruelle Mill au pont'), lat: 45.0212, lng: -74.7305 },
  team: [
    { name: 'Nadia Okafor', role: enFr('Project lead, street design', 'Chargée de projet, conception des rues'), email: 'nadia.okafor' },
    { name: 'Étienne Roy', role: enFr('Transit planner, route 7', 'Planificateur du transport en commun, ligne 7'), email: 'etienne.roy' },
  ],
  faqs: [
    {
      question: enFr('Will I still be able to park?', 'Pourrai-je encore me garer?'),
      answer: enFr(
        'On the side streets, as now. On Fern Street itself 64 of 210 places stay, most of them in front of shops, for up to an hour.',
        'Dans les rues voisines, comme maintenant. Dans la rue Fern même, 64 places sur 210 restent, la plupart devant les commerces, pour une heure au plus.',
      ),
    },
    {
      question: enFr('How do the shops get their deliveries?', 'Comment les commerces seront-ils livrés?'),
      answer: enFr(
        'Until 10 in the morning a van may stop in the bus lane. Whether that is long enough is one of the things we ask you.',
        'Jusqu’à 10 h, une camionnette peut s’arrêter dans la voie réservée. Est-ce assez long? C’est l’une des questions que nous vous posons.',
      ),
    },
    {
      question: enFr('Is it decided already?', 'Est-ce déjà décidé?'),
      answer: enFr(
        'That there will be a bus lane, yes: Council voted for it in June. Everything under **What is still open** is not.',
        'Qu’il y aura une voie réservée, oui\u00a0: le conseil l’a votée en juin. Tout le reste, sous **Ce qui reste ouvert**, ne l’est pas.',
      ),
    },
  ],
  dates: [
    { title: enFr('Survey opens', 'Ouverture du sondage'), day: -41 },
    {
      title: enFr('Walk the street with the designers', 'Marche avec l’équipe de conception'),
      detail: enFr(
        'Meet at the market steps at 6 pm. The whole route is step-free.',
        'Rendez-vous à 18 h sur le parvis du marché. Le parcours est sans marches.',
      ),
      day: 5,
      precision: 'time',
    },
    { title: enFr('Survey closes', 'Clôture du sondage'), day: 23 },
    { title: enFr('What we heard, published', 'Publication de ce que nous avons entendu'), day: 44 },
    { title: enFr('Council votes', 'Vote du conseil'), day: 51 },
    { title: enFr('Work begins at the bridge', 'Début des travaux du côté du pont'), day: 165, precision: 'season' },
  ],
  documents: [
    {
      title: enFr('The plan at a glance', 'Le projet en bref (en anglais)'),
      file: '/demo/documents/riverbend-fern-street-plan-en.pdf',
      language: 'en',
    },
    {
      title: enFr('The plan at a glance (French)', 'Le projet en bref (en français)'),
      file: '/demo/documents/riverbend-fern-street-plan-fr.pdf',
      language: 'fr-CA',
    },
    {
      title: enFr('Bus times measured on route 7', 'Temps de parcours mesurés, ligne 7 (en anglais)'),
      file: '/demo/documents/riverbend-route-7-times.txt',
      language: 'en',
    },
  ],
  updates: [
    {
      slug: 'fern-street-more-evenings',
      title: enFr('Two more evenings, one of them in French', 'Deux soirées de plus, dont une en français'),
      body: enFr(
        `The first open evening was full before seven o’clock. We have added two: {date:+3} at Northgate School, and {date:+8} at the market hall, in French.

Bring your questions about deliveries. Someone who drives a delivery truck for a living will be there to answer them with us.`,
        `La première soirée affichait complet avant 19 heures. Nous en ajoutons deux : le {date:+3} à l’école Northgate et le {date:+8}, en français, à la halle du marché.

Apportez vos questions sur les livraisons. Une personne qui conduit un camion de livraison sera là pour y répondre avec nous.`,
      ),
      day: -6,
    },
    {
      slug: 'fern-street-first-month',
      title: enFr(
        'The first month: shade, seats and the ramp at Mill Lane',
        'Le premier mois : de l’ombre, des bancs et la rampe de la ruelle Mill',
      ),
      body: enFr(
        `Thousands of you have answered already. Three things come back again and again: shade in summer, a seat and a light at every stop, and the ramp at Mill Lane, which is too steep for many wheelchairs.

We did not wait with the ramp. A temporary one, half as steep, is in place since {date:-12}.`,
        `Vous êtes déjà des milliers à avoir répondu. Trois choses reviennent sans cesse : de l’ombre l’été, un banc et une lumière à chaque arrêt, et la rampe de la ruelle Mill, trop abrupte pour bien des fauteuils roulants.

Pour la rampe, nous n’avons pas attendu. Une rampe provisoire, deux fois moins abrupte, est en place depuis le {date:-12}.`,
      ),
      day: -11,
    },
    {
      slug: 'fern-street-opens',
      title: enFr('Fern Street: the survey is open', 'Rue Fern : le sondage est ouvert'),
      body: enFr(
        'The plan is out and the questions are yours to answer. Paper copies are at all six libraries and on every route 7 bus, next to the driver.',
        'Le projet est public et les questions vous attendent. Des exemplaires papier se trouvent dans les six bibliothèques et à bord de chaque autobus de la ligne 7, près de la personne au volant.',
      ),
      day: -41,
    },
  ],
  surveys: [
    survey,
    buildEveryQuestionSurvey({
      slug: 'the-way-to-your-stop',
      languages: ['en', 'fr-CA'],
      pictures: ['/demo/riverbend/fern-street.svg', '/demo/riverbend/backyard-homes.svg'],
      words: {
        q_place: {
          all: {
            en: ['The corner of Fern and King', 'In front of the pharmacy', 'The hill by the school'],
            'fr-CA': ['Au coin de Fern et King', 'Devant la pharmacie', 'La côte près de l’école'],
          },
        },
        q_name: {
          all: { en: ['The bakery', 'Fern and Third', 'The old depot'], 'fr-CA': ['La boulangerie', 'Fern et 3e', 'L’ancien dépôt'] },
        },
        q_why: {
          all: {
            en: ['A bench halfway up the hill.', 'Clear the ramp when it snows.', 'A light that works.'],
            'fr-CA': ['Un banc à mi-côte.', 'Déneigez la rampe.', 'Une lumière qui fonctionne.'],
          },
        },
        q_postcode: { all: { en: ['K6H 1A1', 'K6H 2B4', 'K6J 3C7'], 'fr-CA': ['K6H 1A1', 'K6J 3C7'] } },
      },
    }),
  ],
}
