import { longText, oneChoice, option, page, rating, severalChoices } from '../questions.ts'
import { enFr } from '../texts.ts'
import type { DemoProject, DemoSurvey } from '../types.ts'

const services = [
  option('transit', enFr('Buses', 'Autobus')),
  option('roads', enFr('Streets and bridges', 'Rues et ponts')),
  option('snow', enFr('Snow clearing', 'Déneigement')),
  option('fire', enFr('Fire and rescue', 'Incendie et secours')),
  option('parks', enFr('Parks and trees', 'Parcs et arbres')),
  option('libraries', enFr('Libraries', 'Bibliothèques')),
  option('recreation', enFr('Pools and arenas', 'Piscines et arénas')),
  option('housing', enFr('Affordable homes', 'Logement abordable')),
  option('waste', enFr('Waste and recycling', 'Collecte et recyclage')),
  option('climate', enFr('Flood and heat protection', 'Protection contre les crues et la chaleur')),
]

const budgetSurvey: DemoSurvey = {
  slug: 'ten-services',
  title: enFr('Ten services, your choice', 'Dix services, votre choix'),
  intro: enFr(
    'Five questions, four minutes. Choose what to protect and what could wait, and see afterwards how your choices add up with everyone else’s.',
    'Cinq questions, quatre minutes. Choisissez ce qu’il faut protéger et ce qui peut attendre, puis voyez comment vos choix s’ajoutent à ceux des autres.',
  ),
  thanks: enFr(
    'Thank you. The totals go to the budget committee on {date:+28}, and every member receives them on paper.',
    'Merci. Les totaux seront remis au comité du budget le {date:+28}, et chaque membre les recevra sur papier.',
  ),
  status: 'published',
  access: 'anyone_once',
  resultsPublic: true,
  minutes: 4,
  pages: [
    page(
      'p1',
      enFr('Your priorities', 'Vos priorités'),
      severalChoices(
        'q_protect',
        enFr('Which three services would you protect first?', 'Quels trois services protégeriez-vous en premier?'),
        services,
        { required: true, minChoices: 1, maxChoices: 3 },
      ),
      severalChoices('q_wait', enFr('Which could wait a year?', 'Lesquels pourraient attendre un an?'), services, {
        maxChoices: 3,
        help: enFr('If none of them could wait, leave this blank.', 'Si aucun ne peut attendre, laissez cette question en blanc.'),
      }),
    ),
    page(
      'p2',
      enFr('The tax bill', 'La facture'),
      oneChoice(
        'q_tax',
        enFr('What should happen to property tax?', 'Que devrait-il arriver à l’impôt foncier?'),
        [
          option('freeze', enFr('No increase, fewer services', 'Aucune hausse, moins de services')),
          option(
            'inflation',
            enFr('Rise with prices, same services', 'Suivre les prix, mêmes services'),
            enFr('About 84 dollars a year for an average home', 'Environ 84 dollars par année pour une maison moyenne'),
          ),
          option(
            'more',
            enFr('Rise a little more, better services', 'Un peu plus, de meilleurs services'),
            enFr('About 131 dollars a year for an average home', 'Environ 131 dollars par année pour une maison moyenne'),
          ),
        ],
        { required: true },
      ),
      rating(
        'q_value',
        enFr('How good is the value you get for your taxes today?', 'En avez-vous pour votre argent aujourd’hui?'),
        enFr('Poor', 'Pas du tout'),
        enFr('Excellent', 'Tout à fait'),
      ),
      longText(
        'q_one_thing',
        enFr(
          'If you could change one thing in the budget, what would it be?',
          'Si vous pouviez changer une seule chose au budget, ce serait quoi?',
        ),
      ),
    ),
  ],
  crowd: {
    people: 2906,
    usual: {
      q_protect: {
        o_transit: 0.4,
        o_roads: 0.36,
        o_snow: 0.42,
        o_fire: 0.3,
        o_parks: 0.24,
        o_libraries: 0.22,
        o_recreation: 0.16,
        o_housing: 0.38,
        o_waste: 0.14,
        o_climate: 0.2,
      },
      q_wait: {
        o_transit: 0.1,
        o_roads: 0.12,
        o_snow: 0.03,
        o_fire: 0.03,
        o_parks: 0.2,
        o_libraries: 0.13,
        o_recreation: 0.3,
        o_housing: 0.12,
        o_waste: 0.1,
        o_climate: 0.16,
      },
      q_tax: { o_freeze: 27, o_inflation: 49, o_more: 24 },
      q_value: 3.1,
      q_one_thing: 0.24,
    },
    kinds: [
      {
        name: 'owner',
        share: 40,
        leans: { q_protect: { o_snow: 1.3, o_roads: 1.4, o_housing: 0.6 }, q_tax: { o_freeze: 1.5, o_more: 0.6 }, q_value: -0.3 },
      },
      {
        name: 'renter',
        share: 34,
        leans: {
          q_protect: { o_housing: 1.8, o_transit: 1.5, o_roads: 0.6 },
          q_tax: { o_more: 1.7, o_freeze: 0.6 },
          q_wait: { o_housing: 0.3 },
        },
      },
      {
        name: 'family',
        share: 26,
        leans: { q_protect: { o_recreation: 2, o_parks: 1.5, o_libraries: 1.5 }, q_wait: { o_recreation: 0.4 }, q_value: 0.2 },
      },
    ],
    words: {
      q_one_thing: {
        all: {
          en: [
            'Fix the streets we have before building new ones.',
            'Clear the sidewalks as early as the roads.',
            'More homes that a nurse can pay for.',
            'Stop studying and start doing.',
            'A single swim should not cost nine dollars.',
            'Plant trees where it is hottest, not where it is richest.',
            'Keep the libraries open on Sundays.',
            'Show me what the last increase paid for.',
            'Buses in the evening.',
            'Charge the trucks that ruin Harbour Road.',
            'Hire back the crossing guards.',
            'Nothing, you do well with what you have.',
            'Less glossy paper.',
            'Put money aside for the next flood. There will be one.',
            'Seniors on a pension cannot take four per cent every year.',
            'Spend more on young people and you will spend less on police.',
          ],
          'fr-CA': [
            'Réparer les rues avant d’en ouvrir de nouvelles.',
            'Déneiger les trottoirs aussi vite que les rues.',
            'Des logements qu’une infirmière peut se payer.',
            'Moins d’études, plus d’action.',
            'Montrez-nous à quoi a servi la dernière hausse.',
            'Des autobus le soir.',
            'Des services en français au comptoir, tous les jours.',
            'Ouvrir les bibliothèques le dimanche.',
            'Mettre de l’argent de côté pour la prochaine crue.',
          ],
        },
      },
    },
  },
}

export const budget: DemoProject = {
  slug: 'budget',
  hub: 'budget-finance',
  topic: 'finance',
  title: enFr('Budget {year:+1}: where should it go?', 'Budget {year:+1} : où devrait-il aller?'),
  summary: enFr(
    'Choose among ten services what to protect and what could wait, and see how your choices add up.',
    'Parmi dix services, choisissez quoi protéger et quoi faire attendre, et voyez comment vos choix s’additionnent.',
  ),
  body: enFr(
    `Keeping every service exactly as it is would cost 19 million dollars more in {year:+1} than this year. Prices went up, the city grew, and a provincial grant ends.

There are three ways to close such a gap: raise the tax, raise the fees, or do less. Most years it is some of each. Before the committee starts to trade, it wants to know what you would protect.

## What is fixed
- Police and public health are set by other boards, so they are not on the list.
- The city may not borrow for day-to-day costs.

## What you can move
Ten services, from buses to flood protection. Your three choices weigh as much as anyone’s, whether you rent, own or are sixteen.

## How your answers are used
The committee sees the totals before the first debate, again before the vote, and must say in public where it differs from them.`,
    `Maintenir tous les services tels quels coûterait 19 millions de dollars de plus en {year:+1} que cette année. Les prix ont monté, la ville a grandi et une subvention provinciale prend fin.

Il y a trois façons de combler un tel écart : hausser l’impôt, hausser les tarifs ou en faire moins. La plupart du temps, c’est un peu des trois. Avant de trancher, le comité veut savoir ce que vous protégeriez.

## Ce qui est fixe
- La police et la santé publique relèvent d’autres conseils; elles ne figurent donc pas dans la liste.
- La Ville ne peut pas emprunter pour ses dépenses courantes.

## Ce que vous pouvez déplacer
Dix services, des autobus à la protection contre les crues. Vos trois choix comptent autant que ceux de n’importe qui, que vous soyez locataire, propriétaire ou âgé de seize ans.

## Ce que deviennent vos réponses
Le comité voit les totaux avant le premier débat, puis avant le vote, et doit expliquer en public où il s’en écarte.`,
  ),
  picture: '/demo/riverbend/budget.svg',
  pictureAlt: enFr(
    'Drawing of stacks of coins growing into a row of city buildings',
    'Dessin de piles de pièces qui deviennent une rangée d’immeubles',
  ),
  status: 'published',
  opens: -24,
  closes: 21,
  team: [
    { name: 'Priya Raman', role: enFr('City treasurer', 'Trésorière de la Ville'), email: 'priya.raman' },
    { name: 'Daniel Cormier', role: enFr('Budget analyst', 'Analyste budgétaire'), email: 'daniel.cormier' },
  ],
  dates: [
    { title: enFr('Draft budget published', 'Publication du budget provisoire'), day: -26 },
    {
      title: enFr('Ask the treasurer, live', 'Posez vos questions à la trésorière, en direct'),
      detail: enFr(
        'On the city’s channel and by telephone, with French interpretation.',
        'Sur la chaîne de la Ville et par téléphone, avec interprétation en français.',
      ),
      day: 11,
      precision: 'time',
    },
    { title: enFr('Survey closes', 'Clôture du sondage'), day: 21 },
    { title: enFr('Totals go to the committee', 'Remise des totaux au comité'), day: 28 },
    { title: enFr('Council votes', 'Vote du conseil'), day: 62, precision: 'month' },
  ],
  documents: [
    {
      title: enFr('The budget on one page', 'Le budget en une page (en anglais)'),
      file: '/demo/documents/riverbend-budget-en.pdf',
      language: 'en',
    },
    {
      title: enFr('The budget on one page (French)', 'Le budget en une page'),
      file: '/demo/documents/riverbend-budget-fr.pdf',
      language: 'fr-CA',
    },
  ],
  updates: [
    {
      slug: 'budget-halfway',
      title: enFr('Halfway: snow, buses and homes in front', 'À mi-chemin : la neige, les autobus et le logement en tête'),
      body: enFr(
        'More than two thousand people have chosen. Snow clearing, buses and affordable homes lead, each named by about four people in ten. There is still time to move them.',
        'Plus de deux mille personnes ont choisi. Le déneigement, les autobus et le logement abordable mènent, chacun nommé par environ quatre personnes sur dix. Il est encore temps de changer la donne.',
      ),
      day: -3,
    },
  ],
  surveys: [budgetSurvey],
}

const waterSurvey: DemoSurvey = {
  slug: 'a-fairer-bill',
  title: enFr('A fairer water bill', 'Une facture d’eau plus équitable'),
  intro: enFr(
    'Three ways to share the same cost. Tell us which is fairest to you.',
    'Trois façons de partager le même coût. Dites-nous laquelle vous paraît la plus équitable.',
  ),
  thanks: enFr(
    'Thank you. We will publish the totals within two weeks of the survey’s closing.',
    'Merci. Nous publierons les totaux dans les deux semaines suivant la clôture.',
  ),
  status: 'draft',
  access: 'anyone',
  minutes: 5,
  pages: [
    page(
      'p1',
      enFr('Sharing the cost', 'Partager le coût'),
      oneChoice(
        'q_model',
        enFr('Which bill is fairest?', 'Quelle facture est la plus équitable?'),
        [
          option('flat', enFr('The same for every household', 'La même pour chaque ménage')),
          option('metered', enFr('By what you use', 'Selon ce que vous consommez')),
          option('steps', enFr('A cheap first part, dearer beyond', 'Un premier volume bon marché, plus cher au-delà')),
        ],
        { required: true },
      ),
      rating(
        'q_clear',
        enFr('How easy is your present bill to understand?', 'Votre facture actuelle est-elle facile à comprendre?'),
        enFr('Not at all', 'Pas du tout'),
        enFr('Very', 'Très'),
      ),
      longText('q_worry', enFr('What worries you about a change?', 'Qu’est-ce qui vous inquiète dans un changement?')),
    ),
  ],
}

export const waterRates: DemoProject = {
  slug: 'water-rates',
  hub: 'environment-water',
  topic: 'finance',
  title: enFr('Water rates: a fairer bill', 'Tarifs d’eau : une facture plus équitable'),
  summary: enFr(
    'The pipes cost the same however little you use. Help us share that cost.',
    'Les conduites coûtent autant, même si vous consommez peu. Aidez-nous à partager ce coût.',
  ),
  body: enFr(
    `Two thirds of a water bill pay for pipes, pumps and people, and only a third for the water itself. Today someone who lives alone pays nearly as much of that as a car wash.

We have worked out three fairer ways to share it. Each brings in the same amount in total, so the question is only who pays what.

## Before the survey opens
Find your last bill. A small calculator will show you what each of the three would have cost you.`,
    `Les deux tiers d’une facture d’eau paient les conduites, les pompes et le personnel; un tiers seulement paie l’eau elle-même. Aujourd’hui, une personne seule en assume presque autant qu’un lave-auto.

Nous avons préparé trois façons plus équitables de partager ce coût. Chacune rapporte le même montant au total : la seule question est de savoir qui paie quoi.

## Avant l’ouverture du sondage
Retrouvez votre dernière facture. Un petit calculateur vous montrera ce que chacune des trois vous aurait coûté.`,
  ),
  picture: '/demo/riverbend/water-rates.svg',
  pictureAlt: enFr(
    'Drawing of a water tower above the roofs, with drops of water',
    'Dessin d’un château d’eau au-dessus des toits, avec des gouttes d’eau',
  ),
  status: 'scheduled',
  publishes: 6,
  opens: 8,
  closes: 50,
  team: [{ name: 'Louis Beaudoin', role: enFr('Rates and billing', 'Tarifs et facturation'), email: 'louis.beaudoin' }],
  dates: [
    { title: enFr('Survey opens', 'Ouverture du sondage'), day: 8 },
    { title: enFr('Survey closes', 'Clôture du sondage'), day: 50 },
  ],
  documents: [],
  updates: [],
  surveys: [waterSurvey],
}
