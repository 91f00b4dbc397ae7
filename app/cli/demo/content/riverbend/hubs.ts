import { enFr } from '../texts.ts'
import type { DemoHub, DemoSite } from '../types.ts'

export const hubs: DemoHub[] = [
  {
    slug: 'transportation',
    title: enFr('Transportation', 'Transports'),
    summary: enFr(
      'Buses, streets, sidewalks and bike lanes, summer and winter.',
      'Autobus, rues, trottoirs et pistes cyclables, été comme hiver.',
    ),
    body: enFr(
      `We run 24 bus routes, look after 612 kilometres of streets and clear the snow from all of them.

Most of what we change starts with something a resident told us: a light that is too short, a stop nobody can reach in a wheelchair, a street where cars go too fast. Each project here says what is already decided, what is still open, and who reads your answers.

## How to reach us
For a pothole or a broken light today, call 311. For the years ahead, answer a survey or come to one of our open evenings at the Fern Street depot.`,
      `Nous exploitons 24 lignes d’autobus, entretenons 612 kilomètres de rues et y ramassons toute la neige.

La plupart de nos projets naissent de ce qu’une personne nous a dit : un feu trop court, un arrêt inaccessible en fauteuil roulant, une rue où l’on roule trop vite. Chaque projet précise ce qui est déjà décidé, ce qui reste ouvert et qui lit vos réponses.

## Pour nous joindre
Pour un nid-de-poule ou un feu en panne, composez le 311. Pour les années à venir, répondez à un sondage ou venez à nos soirées portes ouvertes, au dépôt de la rue Fern.`,
    ),
    picture: '/demo/riverbend/hub-transportation.svg',
    pictureAlt: enFr(
      'Drawing of a bus and a cyclist crossing an arched bridge',
      'Dessin d’un autobus et d’une cycliste sur un pont en arc',
    ),
    contact: 'transport',
  },
  {
    slug: 'parks-riverfront',
    title: enFr('Parks and Riverfront', 'Parcs et rive'),
    summary: enFr(
      'Eighty-one parks, eleven kilometres of river path and every tree on a city street.',
      'Quatre-vingt-un parcs, onze kilomètres de sentier riverain et tous les arbres de nos rues.',
    ),
    body: enFr(
      `Nine out of ten people in Riverbend live within a ten-minute walk of a park. We want it to be ten out of ten.

We plant, mow, mend and plan. We also keep the beaches, the skating loop and the boat launches, and we lead the work on the new riverfront.

## What we promise
Before we change a park we put a sign at each entrance, in both languages, with the address of its page here.`,
      `À Riverbend, neuf personnes sur dix habitent à moins de dix minutes à pied d’un parc. Nous visons dix sur dix.

Nous plantons, tondons, réparons et planifions. Nous nous occupons aussi des plages, de l’anneau de patinage et des descentes de bateaux, et nous dirigeons les travaux de la nouvelle rive.

## Notre engagement
Avant de transformer un parc, nous posons à chaque entrée une affiche dans les deux langues, avec l’adresse de la page du projet.`,
    ),
    picture: '/demo/riverbend/hub-parks.svg',
    pictureAlt: enFr('Drawing of a park path under maples beside the river', 'Dessin d’un sentier sous les érables au bord de la rivière'),
    contact: 'parks',
  },
  {
    slug: 'libraries-culture',
    title: enFr('Libraries and Culture', 'Bibliothèques et culture'),
    summary: enFr(
      'Six libraries, two museums, and the festivals between them.',
      'Six bibliothèques, deux musées et les festivals qui les relient.',
    ),
    body: enFr(
      `A library card is free for everyone who lives, works or studies in Riverbend. Last year 41,000 people used one.

We look after the collections and the buildings, lend tools and telescopes as well as books, and help neighbourhood groups put on what they dream up.`,
      `La carte de bibliothèque est gratuite pour quiconque habite, travaille ou étudie à Riverbend. L’an dernier, 41 000 personnes s’en sont servies.

Nous veillons sur les collections et les bâtiments, prêtons des outils et des télescopes autant que des livres, et aidons les groupes de quartier à réaliser leurs idées.`,
    ),
    picture: '/demo/riverbend/hub-libraries.svg',
    pictureAlt: enFr('Drawing of tall windows and shelves of books', 'Dessin de hautes fenêtres et de rayons de livres'),
    contact: 'libraries',
  },
  {
    slug: 'budget-finance',
    title: enFr('Budget and Finance', 'Budget et finances'),
    summary: enFr(
      'Where the money comes from, where it goes, and how you can move it.',
      'D’où vient l’argent, où il va et comment vous pouvez le déplacer.',
    ),
    body: enFr(
      `Riverbend spends about 486 million dollars a year. Six dollars in ten come from property tax; most of the rest comes from the province, fares and fees.

We publish every contract over 25,000 dollars, and each fall we ask residents what to protect before Council votes.`,
      `Riverbend dépense environ 486 millions de dollars par année. Six dollars sur dix proviennent de l’impôt foncier; le reste vient surtout de la province, des tarifs et des droits.

Nous publions tous les contrats de plus de 25 000 dollars et, chaque automne, nous demandons à la population quoi protéger avant le vote du conseil.`,
    ),
    picture: '/demo/riverbend/hub-finance.svg',
    pictureAlt: enFr('Drawing of city hall with its clock tower', 'Dessin de l’hôtel de ville et de son horloge'),
    contact: 'budget',
  },
  {
    slug: 'planning-housing',
    title: enFr('Planning and Housing', 'Urbanisme et logement'),
    summary: enFr(
      'What may be built where, and how more people can afford to live here.',
      'Ce qu’on peut construire, à quel endroit, et comment loger plus de gens à bon prix.',
    ),
    body: enFr(
      `Riverbend grows by about 1,900 people a year. We want the people who already live here to have a say in how.

We write the official plan and the zoning by-law, read every building application, and work with non-profit builders on homes below market rent.`,
      `Riverbend accueille environ 1 900 personnes de plus par année. Nous voulons que celles qui y vivent déjà aient leur mot à dire.

Nous rédigeons le plan officiel et le règlement de zonage, étudions chaque demande de permis et travaillons avec des organismes sans but lucratif à bâtir des logements moins chers que le marché.`,
    ),
    picture: '/demo/riverbend/hub-planning.svg',
    pictureAlt: enFr('Drawing of brick row houses with a crane behind', 'Dessin de maisons en rangée en brique devant une grue'),
    contact: 'planning',
  },
  {
    slug: 'environment-water',
    title: enFr('Environment and Water', 'Environnement et eau'),
    summary: enFr(
      'Clean water in, clean water out, and quieter nights in between.',
      'De l’eau propre à l’aller comme au retour, et des nuits plus calmes entre les deux.',
    ),
    body: enFr(
      `We treat 38 million litres of drinking water a day, collect what you throw away, and measure the river, the air and the noise.

All our measurements are open data. If you find a number you doubt, tell us and we will show you how it was made.`,
      `Nous traitons 38 millions de litres d’eau potable par jour, ramassons ce que vous jetez et mesurons la rivière, l’air et le bruit.

Toutes nos mesures sont des données ouvertes. Si un chiffre vous fait douter, dites-le-nous : nous vous montrerons comment il est obtenu.`,
    ),
    picture: '/demo/riverbend/hub-environment.svg',
    pictureAlt: enFr('Drawing of a heron in the reeds before a water tower', 'Dessin d’un héron dans les roseaux devant un château d’eau'),
    contact: 'water',
  },
]

export const topics: DemoSite['topics'] = [
  { slug: 'transport', title: enFr('Transport', 'Transports') },
  { slug: 'parks', title: enFr('Parks', 'Parcs') },
  { slug: 'culture', title: enFr('Culture', 'Culture') },
  { slug: 'finance', title: enFr('Finance', 'Finances') },
  { slug: 'housing', title: enFr('Housing', 'Logement') },
  { slug: 'environment', title: enFr('Environment', 'Environnement') },
  { slug: 'safety', title: enFr('Safety', 'Sécurité') },
  { slug: 'youth', title: enFr('Youth', 'Jeunesse') },
]
