import type { LanguageRules } from './language-rules.ts'

export const WELSH: LanguageRules = {
  // Welsh has short words that English lacks (“yn”, “y”, “a”), and needs a fifth more of them.
  mostWords: 30,
  leading: [
    /^onid\b/,
    /^(?:o ystyried|gan (?:fod|gofio|wybod)|am fod|yn wyneb|o gofio|gan ystyried) .*\?$/,
    /\bmae(?:'r| y) (?:rhan fwyaf|mwyafrif)\b|\bmae pawb\b|\bmae arbenigwyr\b/,
    /^pam (?:ydych|rydych|yr ydych) chi'n (?:cefnogi|gwrthwynebu|hoffi|cytuno|anghytuno|ffafrio)\b/,
    /^(?:faint|i ba raddau) (?:y )?mae(?:'r| ).*\bwedi (?:gwella|helpu|gwaethygu|elwa|niweidio)\b/,
    /\b[cg]h?yffrous\b|\bg?wych\b|\b(?:gwastraffu|wastraffu|wastraffus|gwastraffus)\b|\bhanfodol\b|\bmawr ei angen\b|\bhen bryd\b|\bannheg\b|\bgwerthfawr\b|\bhurt\b/,
    /\b(?:wrth gwrs|yn amlwg|heb os|yn sicr)\b/,
    /\b[td]h?alu (?:dim ond |rhyw )?(?:ychydig|mymryn)\b/,
  ],
  sides: [
    { one: /\b[cg]h?ytuno\b/, other: /\banghytuno\b|\bai peidio\b/ },
    { one: /\b(?:c|g|ch)efnogi\b/, other: /gwrthwynebu|wrthwynebu|yn erbyn|\bai peidio\b/ },
    { one: /\bo blaid\b/, other: /\byn erbyn\b|\bai peidio\b/ },
  ],
  closed:
    /^(?:ar y cyfan,? )?(?:pa mor (?!aml)|i ba raddau|sut (?:byddech|fyddech) chi'n (?:disgrifio|graddio|asesu)|(?:a|ydych|ydy|ydyn|yw|oes|oedd|oeddech|oedden|wnaethoch|gawsoch|fyddai|ddylai|ddylem|dylem|all|allai|mae)(?:'r)? )/,
  // “â” is another word; what follows a relative “a” is a verb.
  and: /\bac (?!eithrio)|\sa(?:'r|'i|'u)? (?!(?:fydd\p{L}*|oedd\p{L}*|all\p{L}*|ddylai|gafodd|gaiff|wnaeth\p{L}*|ddaw|hoffech|hoffai|welwch|\p{L}+(?:wyd|odd|och|ech))(?!\p{L}))/u,
  pairs:
    /\brhwng \S+(?: \S+)? a(?:c|'r)?\b|(?:^|\s)(?:parciau a mannau (?:agored|gwyrdd)|iechyd a lles|iechyd a diogelwch|iechyd a gofal cymdeithasol|plant a phobl ifanc|y celfyddydau a diwylliant|cerdded a beicio|manteision ac anfanteision|teulu a ffrindiau)(?!\p{L})/gu,
  secondQuestion: /,? ac? (?:pham|pam|sut|beth|pryd|phryd|ble|phwy|pwy|faint|pha|pa)\b/,
  noneOption:
    /ddim yn gwybod|\bdim (?:un|ohono|ohoni)\b|^byth$|\barall\b|ddim yn siŵr|beidio â dweud|\bdim (?:ffafriaeth|barn|gwahaniaeth|o'r rhain)\b|\bnac\b.*\bna[cd]?\b|ddim .* nac |^(?:dydw|fydda|wnes|nid wyf|nid ydw)\b|\bamherthnasol\b/,
  degree: /\b(?:iawn|eithaf|gweddol|eithriadol|ychydig)\b|\byn gryf\b|\bo gwbl\b/,
  positive:
    /(?:^|[\s'])(?:bodlon|fodlon|hapus|da|dda|ardderchog|cytuno|gytuno|o blaid|pwysig|bwysig|diogel|ddiogel|hawdd|tebygol|debygol|sicr|defnyddiol|ddefnyddiol|clir|glir|dwli|hoffi|well|gwell)(?=[\s'’]|$)|^mae'n iawn$/,
  negative:
    /(?:^|[\s'])(?:anfodlon|anhapus|gwael|wael|drwg|ofnadwy|anghytuno|yn erbyn|dibwys|ddibwys|anniogel|anodd|annhebygol|diwerth|aneglur|casáu|gwaeth|waeth)(?=[\s'’]|$)/,
  negation: /\b(?:ddim|nid|heb)\b/,
  neutral: /\bnac\b|^(?:gweddol|niwtral|cymysg|derbyniol)$|\bdim gwahaniaeth\b/,
}
