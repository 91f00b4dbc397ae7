import { enFr } from '../texts.ts'
import type { DemoEvent } from '../types.ts'

/** A walk with places left, and a workshop that is full. */
export const riverbendEvents: DemoEvent[] = [
  {
    project: 'riverfront',
    slug: 'walk-from-mill-to-bridge',
    title: enFr('Walk from the mill to the bridge', 'Marche du moulin au pont'),
    description: enFr(
      'Two kilometres along the shore with the landscape architects. We stop where the fence will open, and you say what you would like to find there.',
      'Deux kilomètres le long de la rive avec les architectes paysagistes. Nous nous arrêtons là où la clôture s’ouvrira, et vous dites ce que vous aimeriez y trouver.',
    ),
    place: enFr('At the old mill, 12 Mill Lane', 'Au vieux moulin, 12, Mill Lane'),
    accessInfo: enFr(
      'The path is level and paved. There are benches every 300 metres, and a washroom at the mill.',
      'Le sentier est plat et asphalté. Il y a un banc tous les 300 mètres, et des toilettes au moulin.',
    ),
    day: 6,
    hour: 17,
    hours: 2,
    capacity: 40,
    signUps: 23,
  },
  {
    project: 'riverfront',
    slug: 'workshop-draw-the-shore',
    title: enFr('Workshop: draw the shore', 'Atelier : dessiner la rive'),
    description: enFr(
      'An evening around eight tables with maps, pens and the people who will draw the plans. There is soup.',
      'Une soirée autour de huit tables, avec des cartes, des crayons et celles et ceux qui dessineront les plans. Il y a de la soupe.',
    ),
    place: enFr('Market hall, second floor', 'Halle du marché, deuxième étage'),
    accessInfo: enFr(
      'There is an elevator, and a table that fits a wheelchair. Tell us by phone if you need an interpreter.',
      'Il y a un ascenseur et une table adaptée aux fauteuils roulants. Appelez-nous si vous avez besoin d’interprétation.',
    ),
    questions: [
      {
        id: 'soup',
        type: 'one_choice',
        title: enFr('Which soup would you like?', 'Quelle soupe aimeriez-vous?'),
        options: [
          { id: 'lentils', label: enFr('Lentils (vegan)', 'Lentilles (végane)') },
          { id: 'chicken', label: enFr('Chicken', 'Poulet') },
        ],
      },
    ],
    answer: (number) => ({ soup: { choice: number % 3 === 0 ? 'chicken' : 'lentils' } }),
    day: 11,
    hour: 18,
    hours: 3,
    capacity: 24,
    signUps: 29,
  },
]
