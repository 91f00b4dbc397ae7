import { longText, oneChoice, option, page, rating, severalChoices } from '../questions.ts'
import { enFr } from '../texts.ts'
import type { DemoProject } from '../types.ts'

export const harbourNoise: DemoProject = {
  slug: 'harbour-noise',
  hub: 'environment-water',
  topic: 'environment',
  title: enFr('Harbour noise at night', 'Le bruit du port, la nuit'),
  summary: enFr(
    'What 861 people told us, and the four things that change from {month:+110}.',
    'Ce que 861 personnes nous ont dit, et les quatre choses qui changent dès {month:+110}.',
  ),
  body: enFr(
    `Grain ships load at the harbour through the night, and the people on Harbour Road lie awake. The harbour feeds 240 families. Both are true, and so we asked everyone at once: residents, crews, and the companies that load.

We put eleven microphones on roofs and balconies for six weeks and asked you to tell us which nights were bad. That let us match what you heard with what was running.`,
    `Des navires céréaliers chargent au port toute la nuit, et les gens du chemin du Port ne dorment pas. Le port fait vivre 240 familles. Les deux sont vrais; nous avons donc consulté tout le monde à la fois : la population, les équipages et les entreprises de chargement.

Pendant six semaines, nous avons installé onze microphones sur des toits et des balcons et vous avons demandé quelles nuits étaient mauvaises. Nous avons ainsi pu relier ce que vous entendiez à ce qui fonctionnait.`,
  ),
  picture: '/demo/riverbend/harbour-noise.svg',
  pictureAlt: enFr(
    'Drawing of a grain ship under the moon, with lit windows on the shore',
    'Dessin d’un navire céréalier sous la lune, des fenêtres éclairées sur la rive',
  ),
  status: 'published',
  opens: -118,
  closes: -70,
  place: { address: enFr('Harbour Road and the grain pier', 'Chemin du Port et quai céréalier'), lat: 45.0102, lng: -74.7188 },
  team: [{ name: 'Amina Diallo', role: enFr('Noise and air', 'Bruit et qualité de l’air'), email: 'amina.diallo' }],
  outcome: enFr(
    `## What people told us
861 people answered, 190 of them from the twelve buildings nearest to the pier. About six in ten wake at least one night a week. It is not the engines that wake them but the sudden sounds: hatches dropped, reversing alarms, horns between midnight and five.

More than four in ten would accept noise until eleven if the nights were quiet after that. One in seven wanted no change at all, most of them people who work at the harbour.

## What changes
- Hatches are lowered, not dropped. The loading company has fitted dampers to all fourteen.
- Reversing alarms give way to a hissing sound that stops at the fence.
- No horns between eleven at night and six in the morning, except in danger.
- A telephone that someone answers all night, and a page with last night’s measurements every morning.

## What does not change, and why
Loading goes on at night. A ship that waits costs 31,000 dollars a day and would go to another harbour. We looked at a sound wall: it would have taken the view from 300 homes to spare 40.`,
    `## Ce que les gens nous ont dit
861 personnes ont répondu, dont 190 des douze immeubles les plus proches du quai. Environ six sur dix se réveillent au moins une nuit par semaine. Ce ne sont pas les moteurs qui réveillent, mais les bruits soudains : panneaux de cale lâchés, alarmes de recul, sirènes entre minuit et cinq heures.

Plus de quatre sur dix accepteraient du bruit jusqu’à 23 heures si la nuit était calme ensuite. Une personne sur sept ne voulait aucun changement, surtout des gens qui travaillent au port.

## Ce qui change
- On abaisse les panneaux de cale, on ne les lâche plus. L’entreprise a posé des amortisseurs aux quatorze panneaux.
- Les alarmes de recul font place à un souffle qui ne porte pas au-delà de la clôture.
- Pas de sirènes entre 23 heures et 6 heures, sauf en cas de danger.
- Un téléphone où quelqu’un répond toute la nuit, et chaque matin une page avec les mesures de la nuit.

## Ce qui ne change pas, et pourquoi
Le chargement continue la nuit. Un navire qui attend coûte 31 000 dollars par jour et irait dans un autre port. Nous avons étudié un mur antibruit : il aurait enlevé la vue à 300 logements pour en soulager 40.`,
  ),
  dates: [
    { title: enFr('Survey and measurements', 'Sondage et mesures'), day: -118, precision: 'month' },
    { title: enFr('Results published', 'Publication des résultats'), day: -19 },
    { title: enFr('Changes take effect', 'Entrée en vigueur des changements'), day: 110, precision: 'month' },
  ],
  documents: [
    {
      title: enFr('Eleven microphones, six weeks: the report', 'Onze microphones, six semaines : le rapport (en anglais)'),
      file: '/demo/documents/riverbend-harbour-noise-en.pdf',
      language: 'en',
    },
  ],
  updates: [
    {
      slug: 'harbour-noise-results',
      title: enFr('What 861 people told us', 'Ce que 861 personnes nous ont dit'),
      body: enFr(
        'The results are on this page, with the four things that change and the two that do not. Thank you for the nights you wrote down for us.',
        'Les résultats sont sur cette page, avec les quatre choses qui changent et les deux qui ne changent pas. Merci pour les nuits que vous avez notées pour nous.',
      ),
      day: -19,
    },
  ],
  surveys: [
    {
      slug: 'your-nights',
      title: enFr('Your nights', 'Vos nuits'),
      intro: enFr('Five questions about sleep and the harbour.', 'Cinq questions sur le sommeil et le port.'),
      thanks: enFr('Thank you. Sleep well.', 'Merci. Bonne nuit.'),
      status: 'published',
      access: 'anyone_once',
      resultsPublic: true,
      minutes: 5,
      pages: [
        page(
          'p1',
          enFr('At night', 'La nuit'),
          oneChoice(
            'q_wake',
            enFr('How often does the harbour wake you?', 'Le port vous réveille-t-il souvent?'),
            [
              option('most', enFr('Most nights', 'Presque chaque nuit')),
              option('weekly', enFr('One or two nights a week', 'Une ou deux nuits par semaine')),
              option('rarely', enFr('Seldom', 'Rarement')),
              option('never', enFr('Never', 'Jamais')),
            ],
            { required: true, ordered: true },
          ),
          severalChoices('q_sound', enFr('Which sounds?', 'Quels bruits?'), [
            option('hatches', enFr('Hatches and metal', 'Les panneaux de cale et le métal')),
            option('alarms', enFr('Reversing alarms', 'Les alarmes de recul')),
            option('horns', enFr('Horns', 'Les sirènes')),
            option('engines', enFr('Engines', 'Les moteurs')),
            option('trains', enFr('Trains', 'Les trains')),
          ]),
          oneChoice(
            'q_limit',
            enFr('What would be fair?', 'Qu’est-ce qui serait juste?'),
            [
              option('ten', enFr('Quiet from ten', 'Le calme dès 22 h')),
              option('eleven', enFr('Quiet from eleven', 'Le calme dès 23 h')),
              option('sudden', enFr('Only the sudden sounds must stop', 'Que cessent seulement les bruits soudains')),
              option('same', enFr('Leave it as it is', 'Laisser les choses telles quelles')),
            ],
            { required: true },
          ),
          rating('q_sleep', enFr('How well do you sleep?', 'Dormez-vous bien?'), enFr('Badly', 'Mal'), enFr('Well', 'Bien')),
          longText('q_night', enFr('Tell us about a night you remember.', 'Racontez-nous une nuit dont vous vous souvenez.')),
        ),
      ],
      crowd: {
        people: 861,
        usual: {
          q_wake: { o_most: 21, o_weekly: 39, o_rarely: 25, o_never: 15 },
          q_sound: { o_hatches: 0.6, o_alarms: 0.5, o_horns: 0.42, o_engines: 0.2, o_trains: 0.16 },
          q_limit: { o_ten: 19, o_eleven: 46, o_sudden: 23, o_same: 12 },
          q_sleep: 2.8,
          q_night: 0.35,
        },
        kinds: [
          {
            name: 'near',
            share: 34,
            leans: { q_wake: { o_most: 2.4, o_never: 0.1 }, q_sleep: -0.9, q_limit: { o_ten: 1.8, o_same: 0.1 }, q_night: 1.6 },
          },
          { name: 'far', share: 54, leans: { q_wake: { o_most: 0.5, o_rarely: 1.2 }, q_sleep: 0.4 } },
          {
            name: 'crew',
            share: 12,
            leans: { q_wake: { o_never: 3, o_most: 0.2 }, q_limit: { o_same: 7, o_ten: 0.1, o_eleven: 0.4 }, q_sleep: 0.8 },
          },
        ],
        words: {
          q_night: {
            all: {
              en: [
                'Three horns at 3:12. The baby woke and so did the whole stairwell.',
                'It is the beeping, hour after hour.',
                'I keep the windows shut in July.',
                'A bang like a car crash. I went out to look.',
                'I grew up with it and miss it when I travel.',
                'Fog horns are fine. Those we need.',
              ],
              'fr-CA': [
                'Trois coups de sirène à 3 h 12. Le bébé s’est réveillé, et toute la cage d’escalier.',
                'Ce sont les bips, heure après heure.',
                'Je garde les fenêtres fermées en juillet.',
                'Un fracas comme une collision.',
              ],
            },
            crew: {
              en: [
                'I work nights there. We could lower the hatches slowly if anyone asked us.',
                'Two hundred and forty families eat from that noise.',
              ],
              'fr-CA': ['J’y travaille la nuit. On pourrait abaisser les panneaux doucement, il suffit de le demander.'],
            },
          },
        },
      },
    },
  ],
}

export const treeCanopy: DemoProject = {
  slug: 'tree-on-every-block',
  hub: 'parks-riverfront',
  topic: 'environment',
  title: enFr('A tree on every block', 'Un arbre à chaque coin de rue'),
  summary: enFr(
    'You named 1,900 empty spots. All of them are planted now.',
    'Vous avez nommé 1 900 emplacements vides. Ils sont tous plantés.',
  ),
  body: enFr(
    `Two years ago we asked where a tree was missing. You answered with addresses, photographs and, in one case, a poem.

The hottest streets came first. On Third Street it is now 2.4 degrees cooler on a July afternoon than it was.`,
    `Il y a deux ans, nous vous avons demandé où il manquait un arbre. Vous avez répondu par des adresses, des photos et, dans un cas, un poème.

Les rues les plus chaudes sont passées en premier. Sur la 3e Rue, il fait maintenant 2,4 degrés de moins qu’avant les après-midi de juillet.`,
  ),
  picture: '/demo/riverbend/tree-on-every-block.svg',
  pictureAlt: enFr(
    'Drawing of a row of maples turning red along brick houses',
    'Dessin d’une rangée d’érables rouges le long de maisons de brique',
  ),
  status: 'archived',
  opens: -620,
  closes: -560,
  archived: -90,
  team: [{ name: 'Owen Clarke', role: enFr('City forester', 'Forestier municipal'), email: 'owen.clarke' }],
  outcome: enFr(
    `## What people told us
Shade at bus stops, shade at schools, and please no more trees that drop sticky fruit.

## What changed
- 1,912 trees planted, 640 of them at stops and schools.
- Forty kinds instead of six, so that one disease cannot take them all.
- Each tree has a number. Call 311 with it and someone comes to water.`,
    `## Ce que les gens nous ont dit
De l’ombre aux arrêts, de l’ombre aux écoles et, de grâce, plus d’arbres aux fruits collants.

## Ce qui a changé
- 1 912 arbres plantés, dont 640 aux arrêts et aux écoles.
- Quarante essences au lieu de six, pour qu’une seule maladie ne les emporte pas tous.
- Chaque arbre a un numéro. Composez le 311, donnez-le, et quelqu’un viendra l’arroser.`,
  ),
  dates: [{ title: enFr('Last tree planted', 'Dernier arbre planté'), day: -101, precision: 'month' }],
  documents: [],
  updates: [],
  surveys: [
    {
      slug: 'where-is-a-tree-missing',
      title: enFr('Where is a tree missing?', 'Où manque-t-il un arbre?'),
      intro: enFr('Two questions.', 'Deux questions.'),
      thanks: enFr('Thank you. We will look at every spot.', 'Merci. Nous irons voir chaque emplacement.'),
      status: 'archived',
      resultsPublic: true,
      minutes: 2,
      pages: [
        page(
          'p1',
          enFr('Your tree', 'Votre arbre'),
          oneChoice(
            'q_place',
            enFr('What is the place like?', 'Comment est l’endroit?'),
            [
              option('stop', enFr('A bus stop', 'Un arrêt d’autobus')),
              option('school', enFr('A school', 'Une école')),
              option('street', enFr('A bare street', 'Une rue sans arbres')),
              option('lot', enFr('A parking lot', 'Un stationnement')),
            ],
            { required: true },
          ),
          rating(
            'q_heat',
            enFr('How hot does it get there?', 'Y fait-il chaud?'),
            enFr('Pleasant', 'C’est agréable'),
            enFr('Unbearable', 'Insupportable'),
          ),
        ),
      ],
      crowd: {
        people: 540,
        usual: { q_place: { o_stop: 34, o_school: 18, o_street: 37, o_lot: 11 }, q_heat: 3.9 },
        kinds: [{ name: 'everyone', share: 1 }],
        words: {},
      },
    },
  ],
}

export const poolHours: DemoProject = {
  slug: 'westend-pool',
  hub: 'parks-riverfront',
  topic: 'parks',
  title: enFr('New hours at Westend Pool', 'Nouvel horaire à la piscine Westend'),
  summary: enFr(
    'The survey has closed. We are reading what 318 swimmers and parents wrote.',
    'Le sondage est terminé. Nous lisons ce qu’ont écrit 318 nageuses, nageurs et parents.',
  ),
  body: enFr(
    `The pool is full at five and empty at eight. Lifeguards are hard to find before school and easy after. We asked when you would really come.

We now set your answers beside the guards’ own and the cost of heat and light. The new hours start after the school break.`,
    `La piscine est pleine à 17 heures et vide à 20 heures. Les sauveteurs sont difficiles à trouver avant l’école et faciles après. Nous vous avons demandé quand vous viendriez vraiment.

Nous comparons maintenant vos réponses à celles des sauveteurs et au coût du chauffage et de l’éclairage. Le nouvel horaire commence après le congé scolaire.`,
  ),
  picture: '/demo/riverbend/westend-pool.svg',
  pictureAlt: enFr('Drawing of a swimmer in a blue lane seen from above', 'Dessin d’une nageuse dans un couloir bleu vu d’en haut'),
  status: 'published',
  opens: -54,
  closes: -12,
  place: { address: enFr('Westend Pool, 88 Spruce Street', 'Piscine Westend, 88, rue Spruce'), lat: 45.0265, lng: -74.7533 },
  team: [{ name: 'Chantal Murphy', role: enFr('Aquatics', 'Activités aquatiques'), email: 'chantal.murphy' }],
  dates: [
    { title: enFr('Survey closed', 'Clôture du sondage'), day: -12 },
    { title: enFr('Results published', 'Publication des résultats'), day: 16 },
    { title: enFr('New hours start', 'Début du nouvel horaire'), day: 47 },
  ],
  documents: [],
  updates: [],
  surveys: [
    {
      slug: 'when-would-you-swim',
      title: enFr('When would you swim?', 'Quand nageriez-vous?'),
      intro: enFr(
        'Four questions for people who swim, and for those who would if the hours were right.',
        'Quatre questions pour ceux et celles qui nagent, et pour qui nagerait si l’horaire convenait.',
      ),
      thanks: enFr('Thank you. See you in the water.', 'Merci. Au plaisir de vous voir à l’eau.'),
      status: 'published',
      access: 'anyone',
      minutes: 4,
      pages: [
        page(
          'p1',
          enFr('Your swim', 'Votre baignade'),
          severalChoices(
            'q_when',
            enFr('When would you come?', 'Quand viendriez-vous?'),
            [
              option('dawn', enFr('Before seven', 'Avant 7 h')),
              option('morning', enFr('Weekday mornings', 'Le matin, en semaine')),
              option('noon', enFr('At lunch', 'À midi')),
              option('after', enFr('After school', 'Après l’école')),
              option('evening', enFr('After eight', 'Après 20 h')),
              option('weekend', enFr('Weekends', 'La fin de semaine')),
            ],
            { required: true },
          ),
          oneChoice('q_kind', enFr('What for?', 'Pour quoi?'), [
            option('lanes', enFr('Lane swimming', 'Des longueurs')),
            option('lessons', enFr('Lessons', 'Des cours')),
            option('family', enFr('Family swim', 'Une baignade en famille')),
            option('therapy', enFr('Health', 'Ma santé')),
          ]),
          rating(
            'q_today',
            enFr('How well do today’s hours suit you?', 'L’horaire actuel vous convient-il?'),
            enFr('Not at all', 'Pas du tout'),
            enFr('Very well', 'Très bien'),
          ),
          longText('q_more', enFr('Anything else?', 'Autre chose?')),
        ),
      ],
      crowd: {
        people: 318,
        usual: {
          q_when: { o_dawn: 0.27, o_morning: 0.22, o_noon: 0.18, o_after: 0.35, o_evening: 0.4, o_weekend: 0.48 },
          q_kind: { o_lanes: 38, o_lessons: 24, o_family: 27, o_therapy: 11 },
          q_today: 2.7,
          q_more: 0.25,
        },
        kinds: [
          { name: 'laps', share: 45, leans: { q_when: { o_dawn: 2, o_evening: 1.5, o_after: 0.3 }, q_kind: { o_lanes: 5 } } },
          {
            name: 'family',
            share: 40,
            leans: { q_when: { o_weekend: 1.6, o_after: 1.7, o_dawn: 0.1 }, q_kind: { o_family: 4, o_lessons: 3 } },
          },
          { name: 'older', share: 15, leans: { q_when: { o_morning: 3, o_evening: 0.2 }, q_kind: { o_therapy: 8 }, q_today: 0.6 } },
        ],
        words: {
          q_more: {
            all: {
              en: [
                'Warmer water for the seniors’ hour, please.',
                'A women-only hour would bring my mother and her friends.',
                'Open at six like the one across the river.',
                'The change room lights go out while you are in the shower.',
                'Lessons fill up in four minutes. More lessons.',
                'Thank the guards for me.',
              ],
              'fr-CA': [
                'De l’eau plus chaude pour les aînés, s’il vous plaît.',
                'Une heure réservée aux femmes.',
                'Les cours se remplissent en quatre minutes.',
                'Ouvrir à six heures, comme de l’autre côté de la rivière.',
              ],
            },
          },
        },
      },
    },
  ],
}
