import type { DemoDataset } from '../types.ts'
import { enFr } from '../texts.ts'

const FOLDER = '/demo/data/riverbend'

/** Riverbend's open data. Its portal is a folder of the product's own, so that the demo needs no network. */
export const datasets: DemoDataset[] = [
  {
    slug: 'wards',
    connector: FOLDER,
    file: `${FOLDER}/wards.geojson`,
    project: null,
    title: enFr('Wards of Riverbend', 'Quartiers de Riverbend'),
    description: enFr(
      'The city’s eight wards: how many people live in each, and where it lies on the map.',
      'Les huit quartiers de la ville : combien de personnes y vivent, et où ils se trouvent sur la carte.',
    ),
    columns: [
      { key: 'ward', type: 'text', name: enFr('Ward', 'Quartier') },
      { key: 'people', type: 'number', name: enFr('People', 'Population') },
      { key: 'postcodes', type: 'text', name: enFr('Postcodes', 'Codes postaux') },
      { key: 'place', type: 'place', name: enFr('Place', 'Lieu') },
    ],
    chart: { form: 'bar', label: 'ward', values: 'people' },
    boundaries: { name: 'ward', postcodes: 'postcodes' },
  },
  {
    slug: 'fern-street-counts',
    connector: FOLDER,
    file: `${FOLDER}/fern-street-counts.csv`,
    project: 'fern-street',
    title: enFr('Who travels along Fern Street', 'Qui emprunte la rue Fern'),
    description: enFr(
      'People counted on an average working day of each month, both directions, between Mill Lane and the bridge.',
      'Personnes comptées un jour ouvrable moyen de chaque mois, dans les deux sens, entre Mill Lane et le pont.',
    ),
    columns: [
      { key: 'month', type: 'date', name: enFr('Month', 'Mois') },
      { key: 'on foot', type: 'number', name: enFr('On foot', 'À pied') },
      { key: 'by bicycle', type: 'number', name: enFr('By bicycle', 'À vélo') },
      { key: 'by bus', type: 'number', name: enFr('By bus', 'En autobus') },
      { key: 'by car', type: 'number', name: enFr('By car', 'En voiture') },
    ],
    chart: { form: 'line', label: 'month', values: 'by bicycle' },
  },
  {
    slug: 'new-trees',
    connector: FOLDER,
    file: `${FOLDER}/new-trees.csv`,
    project: 'tree-on-every-block',
    title: enFr('Trees planted where you asked', 'Arbres plantés où vous l’avez demandé'),
    description: enFr(
      'The first of the 1,900 trees: where they stand, when they were planted and who looks after them.',
      'Les premiers des 1 900 arbres : où ils se trouvent, quand ils ont été plantés et qui en prend soin.',
    ),
    columns: [
      { key: 'address', type: 'text', name: enFr('Address', 'Adresse') },
      { key: 'species', type: 'text', name: enFr('Species', 'Espèce') },
      { key: 'planted', type: 'date', name: enFr('Planted', 'Plantation') },
      { key: 'height_m', type: 'number', name: enFr('Height (m)', 'Hauteur (m)') },
      { key: 'watered_by_neighbours', type: 'yes-no', name: enFr('Watered by neighbours', 'Arrosé par le voisinage') },
      { key: 'place', type: 'place', name: enFr('Place', 'Lieu') },
    ],
    chart: null,
  },
]
