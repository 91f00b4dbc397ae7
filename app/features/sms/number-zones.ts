/**
 * Time zones of telephone numbers, by the longest prefix of their digits: of area codes below +1 (with all zones that one reaches into), and
 * of countries elsewhere. From libphonenumber's `resources/timezones/map_data.txt` (Apache License 2.0), of November 2026.
 */
const NUMBER_ZONES = `
  1 | America/Adak America/Anchorage America/Anguilla America/Antigua America/Barbados America/Boise America/Cayman America/Chicago America/Denver America/Dominica America/Edmonton America/Fort_Nelson America/Grand_Turk America/Grenada America/Halifax America/Jamaica America/Juneau America/Los_Angeles America/Lower_Princes America/Montserrat America/Nassau America/New_York America/North_Dakota/Center America/Phoenix America/Port_of_Spain America/Puerto_Rico America/Regina America/Santo_Domingo America/St_Johns America/St_Kitts America/St_Lucia America/St_Thomas America/St_Vincent America/Toronto America/Tortola America/Vancouver America/Winnipeg Atlantic/Bermuda Pacific/Guam Pacific/Honolulu Pacific/Pago_Pago Pacific/Saipan
  1907 | America/Adak America/Anchorage America/Juneau Pacific/Honolulu
  1264 | America/Anguilla
  1268 | America/Antigua
  1246 | America/Barbados
  1208 1775 | America/Boise America/Denver America/Los_Angeles
  1986 | America/Boise America/Los_Angeles
  1345 | America/Cayman
  1205 1210 1214 1217 1218 1224 1225 1228 1235 1251 1254 1256 1262 1274 1281 1309 1312 1314 1316 1318 1319 1320 1325 1327 1331 1334 1337 1346 1353 1361 1402 1405 1409 1414 1417 1430 1432 1447 1464 1469 1479 1501 1504 1507 1512 1515 1531 1534 1539 1557 1563 1572 1573 1580 1601 1608 1612 1615 1618 1629 1630 1636 1641 1651 1659 1660 1662 1682 1689 1708 1712 1713 1715 1726 1730 1731 1737 1763 1769 1773 1779 1806 1815 1816 1817 1830 1832 1847 1870 1872 1901 1903 1913 1918 1920 1931 1936 1938 1940 1945 1952 1956 1972 1975 1979 1985 505 | America/Chicago
  1308 1620 1785 | America/Chicago America/Denver
  1605 1701 | America/Chicago America/Denver America/North_Dakota/Center
  1219 1270 1423 1574 1606 1812 1850 1906 | America/Chicago America/New_York
  1303 1307 1385 1406 1435 1505 1575 1719 1720 1748 1801 1915 1970 1983 | America/Denver
  1541 | America/Denver America/Los_Angeles
  1928 | America/Denver America/Phoenix
  1767 | America/Dominica
  1368 1403 1587 1780 1825 | America/Edmonton
  1867 | America/Edmonton America/Fort_Nelson America/Toronto America/Vancouver America/Winnipeg
  1250 | America/Edmonton America/Vancouver
  1649 | America/Grand_Turk
  1473 | America/Grenada
  1428 1506 1782 1902 | America/Halifax
  1709 | America/Halifax America/Puerto_Rico America/St_Johns
  1418 | America/Halifax America/Toronto
  1658 1876 | America/Jamaica
  1206 1209 1213 1253 1279 1310 1323 1341 1350 1360 1369 1408 1415 1424 1425 1442 1458 1503 1509 1510 1530 1559 1562 1564 1619 1626 1628 1650 1657 1661 1669 1702 1707 1714 1725 1738 1747 1760 1805 1818 1820 1831 1840 1858 1909 1916 1925 1949 1951 1971 | America/Los_Angeles
  1721 | America/Lower_Princes
  1664 | America/Montserrat
  1242 | America/Nassau
  1201 1202 1203 1207 1212 1215 1216 1220 1223 1227 1229 1231 1234 1239 1240 1248 1252 1260 1267 1269 1272 1276 1283 1301 1302 1304 1305 1313 1315 1317 1321 1324 1326 1329 1330 1332 1336 1339 1347 1351 1352 1363 1364 1380 1386 1401 1404 1407 1410 1412 1413 1419 1434 1440 1443 1445 1448 1463 1470 1472 1475 1478 1484 1502 1508 1513 1516 1517 1518 1540 1551 1561 1567 1570 1571 1582 1585 1586 1603 1607 1609 1610 1614 1616 1617 1631 1640 1645 1646 1656 1667 1678 1680 1681 1686 1703 1704 1706 1716 1717 1718 1724 1727 1728 1732 1734 1740 1743 1754 1757 1762 1765 1770 1771 1772 1774 1781 1786 1802 1803 1804 1810 1813 1814 1821 1826 1828 1835 1838 1839 1843 1845 1848 1854 1856 1857 1859 1860 1862 1863 1864 1865 1878 1904 1908 1910 1912 1914 1917 1919 1929 1930 1934 1937 1941 1943 1947 1948 1954 1959 1973 1978 1980 1984 1989 | America/New_York
  1480 1520 1602 1623 | America/Phoenix
  1868 | America/Port_of_Spain
  1787 1939 | America/Puerto_Rico
  1879 | America/Puerto_Rico America/St_Johns
  1306 1639 | America/Regina
  1809 1829 1849 | America/Santo_Domingo
  1869 | America/St_Kitts
  1758 | America/St_Lucia
  1340 | America/St_Thomas
  1784 | America/St_Vincent
  1226 1249 1263 1289 1343 1354 1365 1367 1382 1416 1437 1438 1450 1468 1514 1519 1548 1579 1581 1613 1647 1683 1705 1742 1753 1819 1873 1905 1942 | America/Toronto
  1807 | America/Toronto America/Winnipeg
  1284 | America/Tortola
  1236 1257 1604 1672 1778 | America/Vancouver
  1204 1431 1474 1584 | America/Winnipeg
  1441 | Atlantic/Bermuda
  1671 | Pacific/Guam
  1808 | Pacific/Honolulu
  1684 | Pacific/Pago_Pago
  1670 | Pacific/Saipan
  225 | Africa/Abidjan
  233 | Africa/Accra
  251 | Africa/Addis_Ababa
  291 | Africa/Asmera
  223 | Africa/Bamako
  236 | Africa/Bangui
  220 | Africa/Banjul
  265 | Africa/Blantyre
  242 | Africa/Brazzaville
  257 | Africa/Bujumbura
  20 | Africa/Cairo
  224 | Africa/Conakry
  221 | Africa/Dakar
  255 | Africa/Dar_es_Salaam
  253 | Africa/Djibouti
  237 | Africa/Douala
  232 | Africa/Freetown
  267 | Africa/Gaborone
  263 | Africa/Harare
  27 | Africa/Johannesburg
  256 | Africa/Kampala
  249 | Africa/Khartoum
  250 | Africa/Kigali
  243 | Africa/Kinshasa Africa/Lubumbashi
  234 | Africa/Lagos
  241 | Africa/Libreville
  228 | Africa/Lome
  244 | Africa/Luanda
  260 | Africa/Lusaka
  240 | Africa/Malabo
  258 | Africa/Maputo
  266 | Africa/Maseru
  268 | Africa/Mbabane
  252 | Africa/Mogadishu
  211 254 | Africa/Nairobi
  235 | Africa/Ndjamena
  227 | Africa/Niamey
  222 | Africa/Nouakchott
  226 | Africa/Ouagadougou
  229 | Africa/Porto-Novo
  239 | Africa/Sao_Tome
  216 | Africa/Tunis
  264 | Africa/Windhoek
  297 | America/Aruba
  595 | America/Asuncion
  501 | America/Belize
  57 | America/Bogota
  54 | America/Buenos_Aires
  52 | America/Cancun America/Ciudad_Juarez America/Matamoros America/Mazatlan America/Mexico_City America/New_York America/Ojinaga America/Tijuana
  58 | America/Caracas
  594 | America/Cayenne
  506 | America/Costa_Rica
  599 | America/Curacao America/Kralendijk
  503 | America/El_Salvador
  299 | America/Godthab America/Scoresbysund America/Thule
  590 | America/Guadeloupe
  502 | America/Guatemala
  593 | America/Guayaquil Pacific/Galapagos
  592 | America/Guyana
  53 | America/Havana
  591 | America/La_Paz
  51 | America/Lima
  55 | America/Manaus America/Noronha America/Rio_Branco America/Sao_Paulo
  596 | America/Martinique
  508 | America/Miquelon
  598 | America/Montevideo
  507 | America/Panama
  597 | America/Paramaribo
  509 | America/Port-au-Prince
  56 | America/Santiago Pacific/Easter
  504 | America/Tegucigalpa
  47 | Arctic/Longyearbyen Europe/Oslo
  967 | Asia/Aden
  7 | Asia/Almaty Asia/Anadyr Asia/Aqtobe Asia/Irkutsk Asia/Kamchatka Asia/Krasnoyarsk Asia/Magadan Asia/Novosibirsk Asia/Omsk Asia/Sakhalin Asia/Vladivostok Asia/Yakutsk Asia/Yekaterinburg Europe/Bucharest Europe/Moscow Europe/Samara
  962 | Asia/Amman
  993 | Asia/Ashgabat
  964 | Asia/Baghdad
  973 | Asia/Bahrain
  994 | Asia/Baku
  66 | Asia/Bangkok
  961 | Asia/Beirut
  996 | Asia/Bishkek
  673 | Asia/Brunei
  91 | Asia/Calcutta
  976 | Asia/Choibalsan Asia/Hovd Asia/Ulaanbaatar
  94 | Asia/Colombo
  963 | Asia/Damascus
  880 | Asia/Dhaka
  670 | Asia/Dili
  971 | Asia/Dubai
  992 | Asia/Dushanbe
  84 | Asia/Ho_Chi_Minh
  852 | Asia/Hong_Kong
  62 | Asia/Jakarta Asia/Jayapura Asia/Makassar
  972 | Asia/Jerusalem
  93 | Asia/Kabul
  92 | Asia/Karachi
  977 | Asia/Katmandu
  60 | Asia/Kuching
  965 | Asia/Kuwait
  63 | Asia/Manila
  968 | Asia/Muscat
  357 | Asia/Nicosia
  855 | Asia/Phnom_Penh
  974 | Asia/Qatar
  95 | Asia/Rangoon
  966 | Asia/Riyadh
  82 850 | Asia/Seoul
  853 86 | Asia/Shanghai
  65 | Asia/Singapore
  886 | Asia/Taipei
  998 | Asia/Tashkent
  995 | Asia/Tbilisi
  98 | Asia/Tehran
  975 | Asia/Thimphu
  81 | Asia/Tokyo
  856 | Asia/Vientiane
  374 | Asia/Yerevan
  351 | Atlantic/Azores Europe/Lisbon
  212 | Atlantic/Canary
  34 | Atlantic/Canary Europe/Madrid
  238 | Atlantic/Cape_Verde
  298 | Atlantic/Faeroe
  231 245 354 | Atlantic/Reykjavik
  247 290 | Atlantic/St_Helena
  500 | Atlantic/Stanley
  61 | Australia/Adelaide Australia/Brisbane Australia/Eucla Australia/Lord_Howe Australia/Perth Australia/Sydney Indian/Christmas Indian/Cocos
  31 | Europe/Amsterdam
  376 | Europe/Andorra
  30 | Europe/Athens
  381 383 | Europe/Belgrade
  49 | Europe/Berlin
  421 | Europe/Bratislava
  32 | Europe/Brussels
  218 370 371 372 40 970 | Europe/Bucharest
  36 | Europe/Budapest
  373 | Europe/Chisinau
  45 | Europe/Copenhagen
  350 | Europe/Gibraltar
  44 | Europe/Guernsey Europe/Isle_of_Man Europe/Jersey Europe/London
  353 | Europe/Guernsey Europe/Isle_of_Man Europe/London
  358 | Europe/Helsinki Europe/Mariehamn
  90 | Europe/Istanbul
  380 | Europe/Kyiv
  386 | Europe/Ljubljana
  352 | Europe/Luxembourg
  356 | Europe/Malta
  377 | Europe/Monaco
  375 | Europe/Moscow
  213 33 | Europe/Paris
  382 | Europe/Podgorica
  420 | Europe/Prague
  39 | Europe/Rome Europe/Vatican
  378 | Europe/San_Marino
  387 | Europe/Sarajevo
  389 | Europe/Skopje
  359 | Europe/Sofia
  46 | Europe/Stockholm
  355 | Europe/Tirane
  423 | Europe/Vaduz
  43 | Europe/Vienna
  48 | Europe/Warsaw
  385 | Europe/Zagreb
  41 | Europe/Zurich
  261 | Indian/Antananarivo
  246 | Indian/Chagos
  269 | Indian/Comoro
  248 | Indian/Mahe
  960 | Indian/Maldives
  230 | Indian/Mauritius
  262 | Indian/Mayotte Indian/Reunion
  685 | Pacific/Apia
  64 | Pacific/Auckland Pacific/Chatham
  678 | Pacific/Efate
  686 | Pacific/Enderbury Pacific/Kiritimati Pacific/Tarawa
  690 | Pacific/Fakaofo
  679 | Pacific/Fiji
  688 | Pacific/Funafuti
  689 | Pacific/Gambier Pacific/Marquesas Pacific/Tahiti
  677 | Pacific/Guadalcanal
  691 | Pacific/Kosrae Pacific/Ponape Pacific/Truk
  692 | Pacific/Majuro
  674 | Pacific/Nauru
  683 | Pacific/Niue
  672 | Pacific/Norfolk
  687 | Pacific/Noumea
  680 | Pacific/Palau
  675 | Pacific/Port_Moresby
  682 | Pacific/Rarotonga
  676 | Pacific/Tongatapu
  681 | Pacific/Wallis
`

const ZONES_BY_PREFIX = new Map(
  NUMBER_ZONES.trim()
    .split('\n')
    .flatMap((line) => {
      const [prefixes = '', zones = ''] = line.trim().split(' | ')
      return prefixes.split(' ').map((prefix) => [prefix, zones.split(' ')] as const)
    }),
)
const LONGEST_PREFIX = 4

/** Numbers of no country, such as satellite telephones. */
const NOWHERE: readonly string[] = ['UTC']

/** All time zones in which the owner of a number, in E.164, may be. */
export function listNumberZones(phone: string): readonly string[] {
  const digits = phone.replace(/\D/g, '')
  for (let length = LONGEST_PREFIX; length > 0; length--) {
    const zones = ZONES_BY_PREFIX.get(digits.slice(0, length))
    if (zones) return zones
  }
  return NOWHERE
}
