import type { DemoBudget } from '../types.ts'
import { enFr } from '../texts.ts'

/** The neighbourhood fund: last year's vote with its result, and this year's, which is open. Costs are in dollars. */
export const neighbourhoodBudget: DemoBudget = {
  project: 'budget',
  title: (year) => enFr(`Neighbourhood fund ${year}`, `Fonds de quartier ${year}`),
  intro: enFr(
    '400,000 dollars for small things near home, in three parts of the city. People with a Riverbend library card decide.',
    '400 000 dollars pour de petites choses près de chez soi, dans trois secteurs. Les titulaires d’une carte de la bibliothèque décident.',
  ),
  pots: [
    { title: enFr('Millside', 'Millside'), amount: 150_000 },
    { title: enFr('Northgate', 'Northgate'), amount: 130_000 },
    { title: enFr('South Shore', 'Rive-Sud'), amount: 120_000 },
  ],
  lastYear: {
    ballots: 6000,
    notes: {
      done: enFr('Finished in the spring.', 'Terminé au printemps.'),
      underWay: enFr('The work has begun.', 'Les travaux ont commencé.'),
      planned: enFr('The contract is being prepared.', 'Le contrat est en préparation.'),
    },
    options: [
      [
        { title: enFr('Lights under the railway bridge', 'Éclairage sous le pont ferroviaire'), cost: 34_000, share: 0.38 },
        { title: enFr('Benches with backs on Mill Lane', 'Bancs à dossier sur Mill Lane'), cost: 16_000, share: 0.36 },
        { title: enFr('A crossing at the market', 'Un passage piéton au marché'), cost: 42_000, share: 0.35 },
        { title: enFr('A reading corner in French', 'Un coin de lecture en français'), cost: 12_000, share: 0.25 },
        { title: enFr('Tools to borrow, first year', 'Des outils à emprunter, première année'), cost: 15_000, share: 0.26 },
        { title: enFr('A splash pad in Heron Park', 'Des jeux d’eau au parc Heron'), cost: 96_000, share: 0.47 },
        { title: enFr('Trees in the market parking lot', 'Des arbres au stationnement du marché'), cost: 24_000, share: 0.31 },
        { title: enFr('Repaint the boathouse', 'Repeindre le hangar à bateaux'), cost: 38_000, share: 0.07 },
      ],
      [
        { title: enFr('A skate spot behind the arena', 'Un coin de planche derrière l’aréna'), cost: 72_000, share: 0.41 },
        { title: enFr('Shelters at two bus stops', 'Des abribus à deux arrêts'), cost: 36_000, share: 0.44 },
        { title: enFr('A garden behind the fire hall', 'Un jardin derrière la caserne'), cost: 18_000, share: 0.3 },
        { title: enFr('Water taps along the trail', 'Des robinets le long du sentier'), cost: 22_000, share: 0.33 },
        { title: enFr('A mural on the underpass', 'Une murale dans le passage inférieur'), cost: 14_000, share: 0.21 },
        { title: enFr('Winter lights on Gate Street', 'Des lumières d’hiver sur Gate Street'), cost: 9000, share: 0.16 },
        { title: enFr('An ice path in the park', 'Un sentier de glace au parc'), cost: 54_000, share: 0.37 },
        { title: enFr('Book boxes in four parks', 'Des boîtes à livres dans quatre parcs'), cost: 6000, share: 0.24 },
      ],
      [
        { title: enFr('A ramp to the beach', 'Une rampe vers la plage'), cost: 58_000, share: 0.46 },
        { title: enFr('Shade over the playground', 'De l’ombre au terrain de jeu'), cost: 31_000, share: 0.39 },
        { title: enFr('Racks for forty bicycles', 'Des supports pour quarante vélos'), cost: 17_000, share: 0.28 },
        { title: enFr('A pollinator meadow', 'Un pré pour pollinisateurs'), cost: 11_000, share: 0.27 },
        { title: enFr('Signs in French and Ojibwe', 'Des panneaux en français et en ojibwé'), cost: 13_000, share: 0.22 },
        { title: enFr('A stage at the pier', 'Une scène au quai'), cost: 84_000, share: 0.35 },
        { title: enFr('Picnic tables for wheelchairs', 'Des tables accessibles en fauteuil roulant'), cost: 8000, share: 0.3 },
        { title: enFr('A defibrillator at the rink', 'Un défibrillateur à la patinoire'), cost: 4000, share: 0.33 },
      ],
    ],
  },
  thisYear: {
    options: [
      [
        {
          title: enFr('Light on the path behind the arena', 'De la lumière derrière l’aréna'),
          text: enFr(
            'Six lamps, so that children can walk home from practice.',
            'Six lampadaires, pour que les enfants rentrent à pied de l’entraînement.',
          ),
          place: 'Canal Street',
          cost: 38_000,
        },
        {
          title: enFr('A playground corner in Heron Park', 'Un coin de jeu au parc Heron'),
          text: enFr(
            'Sand, a low slide and a fence, for children under five.',
            'Du sable, une petite glissade et une clôture, pour les moins de cinq ans.',
          ),
          place: 'Heron Park',
          cost: 64_000,
        },
        {
          title: enFr('Benches at the bus stops on Elm Hill', 'Des bancs aux arrêts d’Elm Hill'),
          text: enFr('Four benches with backs and arms. The hill is steep.', 'Quatre bancs à dossier et accoudoirs. La côte est raide.'),
          place: 'Elm Hill',
          cost: 24_000,
        },
        {
          title: enFr('Tools to borrow, like books', 'Des outils à emprunter, comme des livres'),
          text: enFr(
            'Drills, saws and a sewing machine at the branch library, for one year.',
            'Perceuses, scies et machine à coudre à la bibliothèque, pendant un an.',
          ),
          place: 'Library Street',
          cost: 18_500,
        },
        {
          title: enFr('A drinking fountain at the market', 'Une fontaine d’eau au marché'),
          text: enFr(
            'With a low basin for dogs and a tap for bottles.',
            'Avec un bassin bas pour les chiens et un robinet pour les bouteilles.',
          ),
          place: 'Market Square',
          cost: 27_500,
        },
        {
          title: enFr('A composter for the neighbourhood', 'Un composteur de quartier'),
          text: enFr(
            'Behind the community centre, with an hour of help each week.',
            'Derrière le centre communautaire, avec une heure d’aide par semaine.',
          ),
          place: 'Convent Street',
          cost: 12_000,
        },
        {
          title: enFr('Twelve trees on Weaver Street', 'Douze arbres sur Weaver Street'),
          text: enFr(
            'Limes, watered for three years. The ground was checked.',
            'Des tilleuls, arrosés pendant trois ans. Le sol a été vérifié.',
          ),
          place: 'Weaver Street',
          cost: 31_000,
        },
        {
          title: enFr('A covered place for bicycles at the library', 'Un abri à vélos à la bibliothèque'),
          text: enFr('Forty stands under a roof with light.', 'Quarante supports sous un toit éclairé.'),
          place: 'Library Street',
          cost: 46_000,
        },
      ],
      [
        {
          title: enFr('A warm hut at the toboggan hill', 'Un refuge chauffé à la glissade'),
          text: enFr('Open from December to March, with benches and a stove.', 'Ouvert de décembre à mars, avec des bancs et un poêle.'),
          place: 'Gate Hill',
          cost: 58_000,
        },
        {
          title: enFr('Paddles and skates to borrow', 'Des pagaies et des patins à emprunter'),
          text: enFr(
            'Leave your card, take a pair, at the community centre.',
            'Laissez votre carte, prenez une paire, au centre communautaire.',
          ),
          place: 'Northgate Centre',
          cost: 16_000,
        },
        {
          title: enFr('A safe way to the high school', 'Un chemin sûr vers l’école secondaire'),
          text: enFr('Paint, posts and two raised crossings.', 'De la peinture, des bornes et deux passages surélevés.'),
          place: 'Gate Street',
          cost: 74_000,
        },
        {
          title: enFr('Raised beds at the seniors’ home', 'Des bacs surélevés à la résidence'),
          text: enFr('Ten beds at sitting height, with soil and a shed.', 'Dix bacs à hauteur assise, avec terre et remise.'),
          place: 'Cedar Row',
          cost: 14_500,
        },
        {
          title: enFr('A court for basketball', 'Un terrain de basketball'),
          text: enFr('New surface, two hoops and lights until ten.', 'Nouveau revêtement, deux paniers et éclairage jusqu’à 22 heures.'),
          place: 'Northgate Park',
          cost: 66_000,
        },
        {
          title: enFr('Music on summer evenings', 'De la musique les soirs d’été'),
          text: enFr('Eight free concerts of local bands.', 'Huit concerts gratuits de groupes d’ici.'),
          place: 'Fire Hall Square',
          cost: 12_000,
        },
        {
          title: enFr('Two shelters for bus riders', 'Deux abribus'),
          text: enFr('Where the wind is worst: stops 14 and 22.', 'Là où le vent est le pire : arrêts 14 et 22.'),
          place: 'Route 6',
          cost: 37_000,
        },
        {
          title: enFr('A toolbox for bicycles', 'Une borne de réparation de vélos'),
          text: enFr('A pump and tools on a post, day and night.', 'Une pompe et des outils sur un poteau, jour et nuit.'),
          place: 'North Station',
          cost: 4500,
        },
      ],
      [
        {
          title: enFr('A wheelchair path to the water', 'Un accès à l’eau en fauteuil roulant'),
          text: enFr(
            'Matting and a floating chair, with help on weekends.',
            'Un tapis et un fauteuil flottant, avec de l’aide les fins de semaine.',
          ),
          place: 'South Beach',
          cost: 42_000,
        },
        {
          title: enFr('Toilets at the pier', 'Des toilettes au quai'),
          text: enFr(
            'Two accessible cabins, cleaned every day from May to October.',
            'Deux cabines accessibles, nettoyées chaque jour de mai à octobre.',
          ),
          place: 'The pier',
          cost: 88_000,
        },
        {
          title: enFr('Shade trees at the ball field', 'Des arbres au terrain de balle'),
          text: enFr('Nine maples and three benches.', 'Neuf érables et trois bancs.'),
          place: 'Shore Field',
          cost: 21_000,
        },
        {
          title: enFr('A dark-sky evening every month', 'Une soirée d’astronomie chaque mois'),
          text: enFr('Two telescopes and a guide.', 'Deux télescopes et une personne guide.'),
          place: 'Lookout',
          cost: 7000,
        },
        {
          title: enFr('Lockers for swimmers', 'Des casiers pour les baigneurs'),
          text: enFr('Thirty lockers that need no coin.', 'Trente casiers sans pièce de monnaie.'),
          place: 'South Beach',
          cost: 19_500,
        },
        {
          title: enFr('A crossing at Shore Road', 'Un passage sur Shore Road'),
          text: enFr('With an island and a light that people can press.', 'Avec un îlot et un feu à bouton.'),
          place: 'Shore Road',
          cost: 52_000,
        },
        {
          title: enFr('A library shelf at the rink', 'Une étagère de livres à la patinoire'),
          text: enFr('Books in English, French and Ojibwe.', 'Des livres en anglais, en français et en ojibwé.'),
          place: 'South Rink',
          cost: 5000,
        },
        {
          title: enFr('Swings for all ages', 'Des balançoires pour tous les âges'),
          text: enFr('Two wide swings that look at the water.', 'Deux grandes balançoires face à l’eau.'),
          place: 'Shore Park',
          cost: 26_000,
        },
      ],
    ],
  },
}
