import { longText, oneChoice, option, otherOption, page, rating, severalChoices } from '../questions.ts'
import { enFr } from '../texts.ts'
import { languageAtHome } from './about-people.ts'
import type { DemoProject, DemoSurvey } from '../types.ts'

const survey: DemoSurvey = {
  slug: 'your-library',
  title: enFr('Your library in Northgate', 'Votre bibliothèque à Northgate'),
  intro: enFr(
    'Seven questions. Nobody has drawn the building yet: your answers go into the brief that the architects receive.',
    'Sept questions. Personne n’a encore dessiné le bâtiment : vos réponses feront partie du mandat remis aux architectes.',
  ),
  thanks: enFr(
    'Thank you. We will show the three sites side by side, with what people said about each, on {date:+30}.',
    'Merci. Nous présenterons les trois emplacements côte à côte, avec ce qu’on en a dit, le {date:+30}.',
  ),
  status: 'published',
  access: 'anyone',
  minutes: 6,
  pages: [
    page(
      'p1',
      enFr('Where', 'L’emplacement'),
      oneChoice(
        'q_site',
        enFr('Which site would you choose?', 'Quel emplacement choisiriez-vous?'),
        [
          option(
            'station',
            enFr('The old fire station on Cedar Street', 'L’ancienne caserne de la rue Cedar'),
            enFr('Smallest, with the most character', 'Le plus petit, et celui qui a le plus de cachet'),
          ),
          option(
            'mall',
            enFr('The empty wing of Northgate Mall', 'L’aile vacante du centre commercial Northgate'),
            enFr('Cheapest, with parking and four bus routes', 'Le moins cher, avec stationnement et quatre lignes d’autobus'),
          ),
          option(
            'park',
            enFr('A new building beside Heron Park', 'Un bâtiment neuf à côté du parc du Héron'),
            enFr('Most space, opens two years later', 'Le plus spacieux, mais deux ans plus tard'),
          ),
        ],
        { required: true },
      ),
      longText('q_why', enFr('Why that one?', 'Pourquoi celui-là?')),
    ),
    page(
      'p2',
      enFr('What', 'Les services'),
      severalChoices(
        'q_services',
        enFr('Which services matter most to you?', 'Quels services comptent le plus pour vous?'),
        [
          option('quiet', enFr('A quiet reading room', 'Une salle de lecture silencieuse')),
          option('children', enFr('Story time and a children’s corner', 'L’heure du conte et un coin des petits')),
          option('computers', enFr('Computers, printing and someone to help', 'Des ordinateurs, l’impression et de l’aide')),
          option('rooms', enFr('Rooms to meet and to study', 'Des salles pour se réunir et étudier')),
          option('tools', enFr('Tools and instruments to borrow', 'Des outils et des instruments à emprunter')),
          option('cafe', enFr('A café', 'Un café')),
          option('newcomers', enFr('Help for newcomers', 'Du soutien aux nouveaux arrivants')),
          otherOption(enFr('Something else, please say', 'Autre chose, précisez')),
        ],
        { required: true, maxChoices: 4 },
      ),
      oneChoice('q_hours', enFr('When would you come most often?', 'Quand viendriez-vous le plus souvent?'), [
        option('morning', enFr('Weekday mornings', 'En semaine, le matin')),
        option('afternoon', enFr('Weekday afternoons', 'En semaine, l’après-midi')),
        option('evening', enFr('Weekday evenings', 'En semaine, le soir')),
        option('weekend', enFr('Weekends', 'La fin de semaine')),
      ]),
      rating(
        'q_distance',
        enFr('How easy is it for you to reach a library today?', 'Vous est-il facile de vous rendre à une bibliothèque aujourd’hui?'),
        enFr('Very hard', 'Très difficile'),
        enFr('Very easy', 'Très facile'),
      ),
      longText('q_idea', enFr('What have we not thought of?', 'À quoi n’avons-nous pas pensé?')),
      languageAtHome,
    ),
  ],
  crowd: {
    people: 412,
    usual: {
      q_site: { o_station: 41, o_mall: 32, o_park: 27 },
      q_why: 0.5,
      q_services: {
        o_quiet: 0.52,
        o_children: 0.4,
        o_computers: 0.34,
        o_rooms: 0.38,
        o_tools: 0.22,
        o_cafe: 0.27,
        o_newcomers: 0.24,
        o_other: 0.04,
      },
      q_hours: { o_morning: 20, o_afternoon: 20, o_evening: 32, o_weekend: 28 },
      q_distance: 2.4,
      q_idea: 0.28,
      home: { english: 62, french: 20, another: 18 },
    },
    kinds: [
      {
        name: 'family',
        share: 32,
        leans: { q_services: { o_children: 2.2, o_quiet: 0.6 }, q_site: { o_park: 1.8 }, q_hours: { o_weekend: 1.7 } },
      },
      {
        name: 'student',
        share: 22,
        leans: {
          q_services: { o_rooms: 2, o_computers: 1.5, o_quiet: 1.3, o_children: 0.2 },
          q_hours: { o_evening: 2.2 },
          q_site: { o_mall: 1.5 },
        },
      },
      {
        name: 'older',
        share: 28,
        leans: {
          q_services: { o_quiet: 1.4, o_computers: 1.2, o_tools: 0.6 },
          q_hours: { o_morning: 3, o_evening: 0.4 },
          q_site: { o_station: 1.5 },
        },
      },
      {
        name: 'newcomer',
        share: 18,
        leans: { q_services: { o_newcomers: 3, o_computers: 1.6 }, q_site: { o_mall: 1.8 }, q_distance: -0.5 },
      },
    ],
    words: {
      q_why: {
        all: {
          en: [
            'It is the only one I can walk to.',
            'The fire station is the heart of Northgate. Give it a new life.',
            'Four buses stop at the mall and it is warm to wait there.',
            'A real building by the park would be something to be proud of.',
            'Cheapest. Spend the rest on books.',
            'My grandfather served in that station.',
            'Two years more is too long. My kids will be grown.',
            'Because there is parking, I am sorry but it matters.',
            'Anything but the mall. We have enough mall.',
            'The park is quiet and you can read outside in summer.',
            'I do not drive and Cedar Street is not served after six.',
            'Keep old buildings in use, it is greener.',
          ],
          'fr-CA': [
            'C’est le seul où je peux aller à pied.',
            'La caserne, c’est le cœur de Northgate.',
            'Quatre lignes d’autobus, on attend au chaud.',
            'Le moins cher : gardons l’argent pour les livres.',
            'Au bord du parc, on pourrait lire dehors l’été.',
            'Deux ans de plus, c’est trop long.',
            'Réutilisons ce qui est déjà bâti.',
          ],
        },
      },
      q_idea: {
        all: {
          en: [
            'Keep the reading room quiet, and open one evening a week for people who work.',
            'A box outside to return books at any hour.',
            'Sunday opening in winter. There is nothing else to do.',
            'A wall where kids can hang their drawings.',
            'Books in Tagalog, Arabic and Ukrainian.',
            'Somewhere to nurse a baby that is not a washroom.',
            'Telescope nights on the roof.',
            'A phone booth for video calls with the doctor.',
            'Chairs with arms for older people.',
            'Please, enough electric outlets.',
            'Let the seed library move in too.',
            'A place for teenagers where nobody shushes them.',
          ],
          'fr-CA': [
            'Ouvrir un soir par semaine pour ceux qui travaillent.',
            'Une chute à livres ouverte jour et nuit.',
            'Plus de livres en français pour les ados.',
            'Ouvrir le dimanche l’hiver.',
            'Un coin pour allaiter.',
            'Des ateliers de conversation.',
            'Assez de prises électriques!',
          ],
        },
      },
      'q_services.other': {
        all: {
          en: ['Seed library', 'Board games', 'A piano', 'Tax clinic', 'Sewing machines'],
          'fr-CA': ['Une grainothèque', 'Des jeux de société', 'Un piano', 'Des machines à coudre'],
        },
      },
    },
  },
}

/** Answered on the project's page and the department's own. */
const poll: DemoSurvey = {
  slug: 'one-evening',
  title: enFr('One question before you go', 'Une question avant de partir'),
  intro: {},
  thanks: enFr('Thank you. We will publish the result.', 'Merci. Nous publierons le résultat.'),
  status: 'published',
  access: 'anyone_once',
  resultsPublic: true,
  minutes: 1,
  pages: [
    page(
      'p1',
      enFr('One question', 'Une question'),
      oneChoice(
        'q_evening',
        enFr('Which evening should the library stay open late?', 'Quel soir la bibliothèque devrait-elle fermer plus tard?'),
        [
          option('tuesday', enFr('Tuesday', 'Le mardi')),
          option('thursday', enFr('Thursday', 'Le jeudi')),
          option('sunday', enFr('Sunday', 'Le dimanche')),
        ],
        { required: true },
      ),
    ),
  ],
  crowd: {
    people: 187,
    usual: { q_evening: { o_tuesday: 27, o_thursday: 52, o_sunday: 21 } },
    kinds: [{ name: 'all', share: 100 }],
    words: {},
  },
}

export const northgateLibrary: DemoProject = {
  slug: 'northgate-library',
  hub: 'libraries-culture',
  topic: 'culture',
  title: enFr('A library for Northgate', 'Une bibliothèque pour Northgate'),
  summary: enFr(
    'Choose between three sites and tell us which services matter most.',
    'Choisissez entre trois emplacements et dites-nous quels services comptent le plus.',
  ),
  body: enFr(
    `Northgate has 17,000 people and no library. The nearest one is 35 minutes away by bus. Council has agreed to change that: 9.8 million dollars are in the capital plan, and the doors are to open within three years.

## Three sites
- The old fire station on Cedar Street: 900 square metres, a tower, and a lot of feeling.
- The empty wing of Northgate Mall: 1,400 square metres, ready soonest, four bus routes at the door.
- A new building beside Heron Park: 1,600 square metres and a garden, opening two years later than the others.

None of them is the favourite. Each can be built within the budget, though not with the same services.

## What your answers decide
The choice of site weighs cost, access and what you tell us, a third each. The list of services goes into the architects’ brief word for word.`,
    `Northgate compte 17 000 personnes et aucune bibliothèque. La plus proche est à 35 minutes en autobus. Le conseil a décidé que cela devait changer : 9,8 millions de dollars sont inscrits au plan d’immobilisations, et les portes doivent ouvrir d’ici trois ans.

## Trois emplacements
- L’ancienne caserne de la rue Cedar : 900 mètres carrés, une tour et beaucoup de souvenirs.
- L’aile vacante du centre commercial Northgate : 1 400 mètres carrés, prête le plus tôt, quatre lignes d’autobus à la porte.
- Un bâtiment neuf à côté du parc du Héron : 1 600 mètres carrés et un jardin, mais deux ans plus tard.

Aucun n’est favori. Chacun respecte le budget, mais pas avec les mêmes services.

## Ce que vos réponses décident
Le choix de l’emplacement repose à parts égales sur le coût, l’accès et ce que vous nous dites. La liste des services est reprise mot pour mot dans le mandat des architectes.`,
  ),
  picture: '/demo/riverbend/northgate-library.svg',
  pictureAlt: enFr(
    'Drawing of a brick fire station with a tower, its doors full of books',
    'Dessin d’une caserne de brique avec sa tour, les portes remplies de livres',
  ),
  status: 'published',
  opens: -33,
  closes: 9,
  place: { address: enFr('Northgate, around Cedar Street', 'Northgate, aux abords de la rue Cedar'), lat: 45.0461, lng: -74.7402 },
  team: [
    { name: 'Marguerite Lavoie', role: enFr('Manager, new branches', 'Gestionnaire, nouvelles succursales'), email: 'marguerite.lavoie' },
    {
      name: 'Sam Whiteduck',
      role: enFr('Librarian, Northgate book bus', 'Bibliothécaire, bibliobus de Northgate'),
      email: 'sam.whiteduck',
    },
  ],
  dates: [
    { title: enFr('Survey opens', 'Ouverture du sondage'), day: -33 },
    {
      title: enFr('Open doors at the fire station', 'Portes ouvertes à la caserne'),
      detail: enFr('See the hall and climb the tower, from 6 pm.', 'Visite de la salle et montée dans la tour, dès 18 h.'),
      day: 4,
      precision: 'time',
    },
    { title: enFr('Survey closes', 'Clôture du sondage'), day: 9 },
    { title: enFr('Three sites compared, published', 'Publication de la comparaison des trois emplacements'), day: 30 },
    { title: enFr('Council chooses the site', 'Choix de l’emplacement par le conseil'), day: 75, precision: 'month' },
  ],
  documents: [
    {
      title: enFr('Three sites side by side', 'Trois emplacements côte à côte (en anglais)'),
      file: '/demo/documents/riverbend-northgate-sites-en.pdf',
      language: 'en',
    },
    {
      title: enFr('Three sites side by side (French)', 'Trois emplacements côte à côte'),
      file: '/demo/documents/riverbend-northgate-sites-fr.pdf',
      language: 'fr-CA',
    },
  ],
  updates: [
    {
      slug: 'northgate-tower-open',
      title: enFr('Climb the tower on {date:+4}', 'Montez dans la tour le {date:+4}'),
      body: enFr(
        'We have the keys to the fire station for one evening. Come and see how 900 square metres feel. The hall is step-free; the tower, sadly, is not.',
        'Nous avons les clés de la caserne pour une soirée. Venez voir ce que représentent 900 mètres carrés. La salle est sans marches; la tour, hélas, ne l’est pas.',
      ),
      day: -5,
    },
    {
      slug: 'northgate-book-bus',
      title: enFr('The book bus brings the survey to you', 'Le bibliobus vous apporte le sondage'),
      body: enFr(
        'Until the survey closes, the book bus carries paper copies and two tablets. It stops at the mall on Tuesdays and at Heron Park on Saturdays.',
        'Jusqu’à la clôture, le bibliobus transporte des exemplaires papier et deux tablettes. Il s’arrête au centre commercial le mardi et au parc du Héron le samedi.',
      ),
      day: -20,
    },
  ],
  surveys: [survey, poll],
}
