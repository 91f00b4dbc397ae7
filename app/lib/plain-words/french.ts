import type { LanguageRules } from './language-rules.ts'

export const FRENCH: LanguageRules = {
  // A fifth more than in English, as a translation has.
  mostWords: 30,
  leading: [
    /^(?:n'|ne )[^ ]*-(?:vous|nous|il|elle|on|ils|elles|ce)\b.* (?:pas|plus)\b/,
    /^(?:étant donné|puisque?|sachant|considérant|compte tenu|vu|maintenant que|comme) .*\?$/,
    /\bla plupart des (?:gens|résidents|citoyens|experts|personnes)\b|\btout le monde (?:sait|veut|convient)\b|\bles experts (?:disent|s'entendent)\b/,
    /^pourquoi (?:appuyez|soutenez|aimez|préférez|voulez|êtes)-vous\b/,
    /^(?:à quel point|dans quelle mesure|de combien) .* (?:amélioré|aidé|profité|empiré|nui)(?=[ ,?]|$)/,
    /(?:^|[ '])(?:emballante?s?|formidables?|fantastiques?|extraordinaires?|tant attendue?s?|vita(?:l|le|les|ux)|indispensables?|précieu(?:x|se|ses)|désuète?s?|désuets?|injustes?|ridicules?|gaspill\p{L}+|essentiel(?:s|le|les)?)(?=[ ,?.]|$)/u,
    /\b(?:évidemment|bien sûr|certainement|sans aucun doute|manifestement)(?=[ ,?.]|$)/,
    /\bpayer (?:juste |seulement )?(?:un peu|légèrement|quelques)\b/,
  ],
  sides: [
    { one: /\bd'accord\b/, other: /désaccord|pas d'accord|\bou non\b/ },
    {
      one: /\b(?:appuy\p{L}+|appui\p{L}+|souten\p{L}+|soutien\p{L}+)-vous\b|\bêtes-vous favorables?\b/u,
      other: /\bcontre\b|oppos|défavorable|\bou non\b/,
    },
    { one: /-vous pour (?:l|un|une|des|que)\b/, other: /\bcontre\b|\bou non\b/ },
  ],
  closed:
    /^(?:dans l'ensemble,? )?(?:comment (?:évaluez|décri\p{L}+)-vous|dans quelle mesure|est-ce que\b|(?!(?:que?|qu'.*|quels?|quelles?|lesquels|lesquelles|lequel|laquelle|où|quand|qui|pourquoi|comment|combien|à|de|d'.*|avec|parmi|depuis|entre|si) ).*\p{L}-(?:t-)?(?:vous|nous|il|elle|on|ils|elles)(?![\p{L}-]))/u,
  and: /\bet\b/,
  pairs:
    /\bentre \S+(?: \S+)? et\b|\b(?:parcs et espaces verts|santé et (?:de |le )?(?:mieux-être|bien-être)|santé et sécurité|arts et (?:la )?culture|enfants et (?:les )?(?:jeunes|adolescents)|avantages et (?:les )?inconvénients|pour et (?:le )?contre|parents et amis)(?!\p{L})/gu,
  secondQuestion: /,? et (?:pourquoi|comment|quand|combien|où|à quel\p{L}*|quel(?:le)?s?|qu(?:e |')\S+-(?:vous|nous))(?!\p{L})/u,
  noneOption:
    /\baucune?\b|\bjamais\b|\bje ne sais pas\b|\bautre(?:s|ment)?\b|préfère ne pas|^rien\b|\bsans (?:opinion|préférence|objet|effet)\b|pas sûre?\b|^ni\b|^je n'(?:y|en|utilise)\b|^je ne (?:vais|les?|la|connais|participe|prends)\b/,
  degree: /(?:^|\s)(?:très|plutôt|assez|extrêmement|légèrement|fortement|peu|tout à fait|pas du tout)(?=\s|$)/,
  positive:
    /(?:^|[\s'])(?:satisfaite?s?|heureu(?:x|se|ses)|bon(?:ne)?s?|bien|excellente?s?|d'accord|favorables?|importante?s?|en sécurité|faciles?|probables?|certaine?s?|utiles?|claire?s?|adore|aime|correcte?s?|mieux|meilleure?s?)(?=[\s']|$)|^(?:(?:tout à fait|plutôt|fortement) )?pour$/,
  negative:
    /(?:^|[\s'])(?:insatisfaite?s?|mauvaise?s?|mal|épouvantables?|terribles?|médiocres?|en désaccord|défavorables?|contre|sans importance|difficiles?|improbables?|inutiles?|dangereu(?:x|se|ses)|déteste|pires?|confuse?s?)(?=[\s']|$)/,
  negation: /\b(?:pas|(?<!un )peu|aucunement|guère)\b/,
  neutral: /^ni\b|^(?:passable|moyen|moyenne|neutre|acceptable)s?$|\bsans effet\b/,
}
