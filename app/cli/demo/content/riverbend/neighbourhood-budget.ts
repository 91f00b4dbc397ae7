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
        {
          title: enFr('Lights under the railway bridge', 'Éclairage sous le pont ferroviaire'),
          at: [-74.7305, 45.0206],
          cost: 34_000,
          share: 0.38,
        },
        {
          title: enFr('Benches with backs on Mill Lane', 'Bancs à dossier sur Mill Lane'),
          at: [-74.7165, 45.0162],
          cost: 16_000,
          share: 0.36,
        },
        { title: enFr('A crossing at the market', 'Un passage piéton au marché'), at: [-74.7178, 45.0313], cost: 42_000, share: 0.35 },
        { title: enFr('A reading corner in French', 'Un coin de lecture en français'), cost: 12_000, share: 0.25 },
        { title: enFr('Tools to borrow, first year', 'Des outils à emprunter, première année'), cost: 15_000, share: 0.26 },
        { title: enFr('A splash pad in Heron Park', 'Des jeux d’eau au parc Heron'), at: [-74.688, 45.0318], cost: 96_000, share: 0.47 },
        { title: enFr('Trees in the market parking lot', 'Des arbres au stationnement du marché'), cost: 24_000, share: 0.31 },
        { title: enFr('Repaint the boathouse', 'Repeindre le hangar à bateaux'), cost: 38_000, share: 0.07 },
      ],
      [
        {
          title: enFr('A skate spot behind the arena', 'Un coin de planche derrière l’aréna'),
          at: [-74.7372, 45.0433],
          cost: 72_000,
          share: 0.41,
        },
        { title: enFr('Shelters at two bus stops', 'Des abribus à deux arrêts'), cost: 36_000, share: 0.44 },
        {
          title: enFr('A garden behind the fire hall', 'Un jardin derrière la caserne'),
          at: [-74.7439, 45.0458],
          cost: 18_000,
          share: 0.3,
        },
        { title: enFr('Water taps along the trail', 'Des robinets le long du sentier'), cost: 22_000, share: 0.33 },
        {
          title: enFr('A mural on the underpass', 'Une murale dans le passage inférieur'),
          at: [-74.7342, 45.0332],
          cost: 14_000,
          share: 0.21,
        },
        { title: enFr('Winter lights on Gate Street', 'Des lumières d’hiver sur Gate Street'), cost: 9000, share: 0.16 },
        { title: enFr('An ice path in the park', 'Un sentier de glace au parc'), at: [-74.746, 45.0332], cost: 54_000, share: 0.37 },
        { title: enFr('Book boxes in four parks', 'Des boîtes à livres dans quatre parcs'), cost: 6000, share: 0.24 },
      ],
      [
        { title: enFr('A ramp to the beach', 'Une rampe vers la plage'), at: [-74.6935, 45.0012], cost: 58_000, share: 0.46 },
        { title: enFr('Shade over the playground', 'De l’ombre au terrain de jeu'), cost: 31_000, share: 0.39 },
        { title: enFr('Racks for forty bicycles', 'Des supports pour quarante vélos'), cost: 17_000, share: 0.28 },
        { title: enFr('A pollinator meadow', 'Un pré pour pollinisateurs'), cost: 11_000, share: 0.27 },
        { title: enFr('Signs in French and Ojibwe', 'Des panneaux en français et en ojibwé'), cost: 13_000, share: 0.22 },
        { title: enFr('A stage at the pier', 'Une scène au quai'), at: [-74.7025, 44.9976], cost: 84_000, share: 0.35 },
        {
          title: enFr('Picnic tables for wheelchairs', 'Des tables accessibles en fauteuil roulant'),
          at: [-74.6868, 45.0013],
          cost: 8000,
          share: 0.3,
        },
        {
          title: enFr('A defibrillator at the rink', 'Un défibrillateur à la patinoire'),
          at: [-74.6967, 45.0061],
          cost: 4000,
          share: 0.33,
        },
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
          at: [-74.7463, 45.0094],
          cost: 38_000,
        },
        {
          title: enFr('A playground corner in Heron Park', 'Un coin de jeu au parc Heron'),
          text: enFr(
            'Sand, a low slide and a fence, for children under five.',
            'Du sable, une petite glissade et une clôture, pour les moins de cinq ans.',
          ),
          place: 'Heron Park',
          at: [-74.688, 45.0318],
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
          at: [-74.7544, 45.0328],
          cost: 18_500,
        },
        {
          title: enFr('A drinking fountain at the market', 'Une fontaine d’eau au marché'),
          text: enFr(
            'With a low basin for dogs and a tap for bottles.',
            'Avec un bassin bas pour les chiens et un robinet pour les bouteilles.',
          ),
          place: 'Place du Marché',
          at: [-74.7178, 45.0313],
          cost: 27_500,
        },
        {
          title: enFr('A composter for the neighbourhood', 'Un composteur de quartier'),
          text: enFr(
            'Behind the community centre, with an hour of help each week.',
            'Derrière le centre communautaire, avec une heure d’aide par semaine.',
          ),
          place: 'Rue du Couvent',
          at: [-74.7186, 45.0325],
          cost: 12_000,
        },
        {
          title: enFr('Twelve trees on Weaver Street', 'Douze arbres sur Weaver Street'),
          text: enFr(
            'Limes, watered for three years. The ground was checked.',
            'Des tilleuls, arrosés pendant trois ans. Le sol a été vérifié.',
          ),
          place: 'Weaver Street',
          at: [-74.7184, 45.0074],
          cost: 31_000,
        },
        {
          title: enFr('A covered place for bicycles at the library', 'Un abri à vélos à la bibliothèque'),
          text: enFr('Forty stands under a roof with light.', 'Quarante supports sous un toit éclairé.'),
          place: 'Library Street',
          at: [-74.7544, 45.0328],
          cost: 46_000,
        },
      ],
      [
        {
          title: enFr('A warm hut at the toboggan hill', 'Un refuge chauffé à la glissade'),
          text: enFr('Open from December to March, with benches and a stove.', 'Ouvert de décembre à mars, avec des bancs et un poêle.'),
          place: 'Gate Hill',
          at: [-74.7395, 45.0405],
          cost: 58_000,
        },
        {
          title: enFr('Paddles and skates to borrow', 'Des pagaies et des patins à emprunter'),
          text: enFr(
            'Leave your card, take a pair, at the community centre.',
            'Laissez votre carte, prenez une paire, au centre communautaire.',
          ),
          place: 'Northgate Centre',
          at: [-74.7372, 45.0433],
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
          place: 'Cedar Street',
          at: [-74.7405, 45.0461],
          cost: 14_500,
        },
        {
          title: enFr('A court for basketball', 'Un terrain de basketball'),
          text: enFr('New surface, two hoops and lights until ten.', 'Nouveau revêtement, deux paniers et éclairage jusqu’à 22 heures.'),
          place: 'Northgate Park',
          at: [-74.746, 45.0332],
          cost: 66_000,
        },
        {
          title: enFr('Music on summer evenings', 'De la musique les soirs d’été'),
          text: enFr('Eight free concerts of local bands.', 'Huit concerts gratuits de groupes d’ici.'),
          place: 'Fire Hall Square',
          at: [-74.7439, 45.0458],
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
          at: [-74.7361, 45.0371],
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
          at: [-74.6935, 45.0012],
          cost: 42_000,
        },
        {
          title: enFr('Toilets at the pier', 'Des toilettes au quai'),
          text: enFr(
            'Two accessible cabins, cleaned every day from May to October.',
            'Deux cabines accessibles, nettoyées chaque jour de mai à octobre.',
          ),
          place: 'The pier',
          at: [-74.7025, 44.9976],
          cost: 88_000,
        },
        {
          title: enFr('Shade trees at the ball field', 'Des arbres au terrain de balle'),
          text: enFr('Nine maples and three benches.', 'Neuf érables et trois bancs.'),
          place: 'Shore Field',
          at: [-74.6905, 45.0022],
          cost: 21_000,
        },
        {
          title: enFr('A dark-sky evening every month', 'Une soirée d’astronomie chaque mois'),
          text: enFr('Two telescopes and a guide.', 'Deux télescopes et une personne guide.'),
          place: 'Lookout',
          at: [-74.683, 45.0108],
          cost: 7000,
        },
        {
          title: enFr('Lockers for swimmers', 'Des casiers pour les baigneurs'),
          text: enFr('Thirty lockers that need no coin.', 'Trente casiers sans pièce de monnaie.'),
          place: 'South Beach',
          at: [-74.6935, 45.0012],
          cost: 19_500,
        },
        {
          title: enFr('A crossing at Shore Drive', 'Un passage sur Shore Drive'),
          text: enFr('With an island and a light that people can press.', 'Avec un îlot et un feu à bouton.'),
          place: 'Shore Drive',
          at: [-74.6906, 45.0089],
          cost: 52_000,
        },
        {
          title: enFr('A library shelf at the rink', 'Une étagère de livres à la patinoire'),
          text: enFr('Books in English, French and Ojibwe.', 'Des livres en anglais, en français et en ojibwé.'),
          place: 'South Rink',
          at: [-74.6967, 45.0061],
          cost: 5000,
        },
        {
          title: enFr('Swings for all ages', 'Des balançoires pour tous les âges'),
          text: enFr('Two wide swings that look at the water.', 'Deux grandes balançoires face à l’eau.'),
          place: 'Shore Park',
          at: [-74.6868, 45.0013],
          cost: 26_000,
        },
      ],
    ],
  },
}
