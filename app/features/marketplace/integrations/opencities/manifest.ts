import * as v from 'valibot'
import type { Manifest } from '../../marketplace.schema.ts'

export const openCities = {
  id: 'opencities',
  name: 'OpenCities',
  category: 'data',
  does: {
    en: 'Takes datasets from open-data portals and shows them beside your questions; publishes results for portals to harvest.',
    'fr-CA':
      'Prend des jeux de données des portails de données ouvertes et les montre à côté de vos questions; publie des résultats que les portails moissonnent.',
    cy: 'Mae’n cymryd setiau data o byrth data agored ac yn eu dangos ochr yn ochr â’ch cwestiynau; mae’n cyhoeddi canlyniadau i byrth eu cynaeafu.',
  },
  leaves: [
    {
      en: 'What is asked of each portal that is connected. Of results: counts, without small numbers and without anything people wrote.',
      'fr-CA':
        'Ce qui est demandé à chaque portail relié. Des résultats : des nombres, sans les petits et sans rien de ce que les gens ont écrit.',
      cy: 'Yr hyn a ofynnir i bob porth a gysylltir. O’r canlyniadau: cyfrifon, heb rifau bach a heb ddim a ysgrifennodd pobl.',
    },
  ],
  settings: v.object({}),
  capabilities: [],
  feature: null,
  setUpAt: '/admin/city-data',
} as const satisfies Manifest
