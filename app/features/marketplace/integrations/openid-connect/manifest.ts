import * as v from 'valibot'
import type { Manifest } from '../../marketplace.schema.ts'

export const openIdConnect = {
  id: 'openid-connect',
  name: {
    en: 'Sign-in with your own accounts',
    'fr-CA': 'Ouverture de session avec vos propres comptes',
    cy: 'Mewngofnodi gyda’ch cyfrifon eich hun',
  },
  category: 'sign-in',
  does: {
    en: 'Lets staff and residents sign in with accounts they already have: Microsoft Entra ID, Google, Keycloak or any provider of OpenID Connect.',
    'fr-CA':
      'Permet au personnel et à la population d’ouvrir une session avec des comptes existants : Microsoft Entra ID, Google, Keycloak ou tout fournisseur OpenID Connect.',
    cy: 'Mae’n gadael i staff a thrigolion fewngofnodi gyda chyfrifon sydd ganddynt eisoes: Microsoft Entra ID, Google, Keycloak neu unrhyw ddarparwr OpenID Connect.',
  },
  leaves: [
    {
      en: 'That someone signs in to this site, to the provider they choose.',
      'fr-CA': 'Le fait qu’une personne ouvre une session sur ce site, vers le fournisseur qu’elle choisit.',
      cy: 'Bod rhywun yn mewngofnodi ar y safle hwn, i’r darparwr y mae’n ei ddewis.',
    },
  ],
  settings: v.object({}),
  capabilities: [],
  feature: null,
  setUpAt: '/admin/sign-in',
} as const satisfies Manifest
