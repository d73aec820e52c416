"""Words that say nothing of what a text is about, in the languages this lane meets most."""

from __future__ import annotations

from typing import Final

__all__ = ["AMBIGUOUS", "STOP", "WEAK"]

_ENGLISH: Final = """
a about above accordingly across after again against all allow allowed allows almost along already
also although always am among an and another any anything are aren't around as at available back
based be became because become been before behind being below best better between both but by call
called came can can't cannot certain choose come comes common consider contain contains could
couldn't currently described despite did didn't different directly do does doesn't doing don't done
down due during each easily either else enable enabled end enough ensure etc even every everything
existing expected explicitly far few find first five follow followed following follows for four from
full further general get gets getting give given gives go goes going good got great had has have
haven't having he help hence her here hers him his how however https i i'd i'm i've i.e if important
in include included includes including instead into introduced is isn't it it's its itself just keep
kind know known large last later latest least left less let let's like likely little long look made
mainly make makes making many may maybe me mean means might more most much must my named near need
needed needs neither never new next no non none nor not nothing now of off often old on once one
only onto open optional or other others otherwise our ours out over own particular per perform
perhaps please plus point possible previous provide provided provides put quite rather real really
recommended refer regardless related required requires respectively right run running said same say
see seem seen select set sets several shall she should shouldn't show shown shows similar simple
simply since single small so some something soon specific specified specify start started still such
supported supports sure take taken takes tell than thank thanks that that's the their theirs them
then there there's therefore these they thing things think this those though three through thus
times to together too toward true try turn two under unless until up upon us use used useful uses
using usually various very via want was wasn't ways we we're well were what whatever when where
whether which while who whole whom whose why will wish with within without won't working works would
wouldn't www write yes yet you you'd you'll you're your yours false null todo click january february
march april june july august september october november december monday tuesday wednesday thursday
friday saturday sunday above-mentioned
"""
_GERMAN: Final = """
aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bin bis bist
da damit dann das dass dazu dem den denn der deren des dessen die dies diese diesem diesen dieser
dieses doch dort du durch ein eine einem einen einer eines er es etwas für gegen hat hatte haben
hier hinter ich ihr ihre im in ist ja jede jeder jedes kann kein keine können man mehr mit muss nach
nicht noch nun nur ob oder ohne sehr sein seine sich sie sind so sowie über um und uns unser unter
vom von vor war waren was weil wenn werden wie wieder wir wird wo wurde wurden zu zum zur zwischen
"""
_ROMANCE: Final = """
afin ainsi alors après au aucun aussi autre autres aux avant avec avoir car ce cela ces cet cette
chaque comme dans de depuis des deux doit donc du elle elles en entre est et être eux fait ici il
ils je la le les leur leurs lors lui mais même mes moins mon ne nos notre nous on ont ou où par pas
peu peut plus pour pourquoi quand que quel quelle qui sa sans se selon ses si son sont sous sur ta
tous tout toute toutes très un une vers vos votre vous al algo ante antes aunque cada como con
contra cual cuando del desde donde durante el ella ellos era ese eso esta está este esto fue ha
hacia hasta hay las los más mi mientras muy nada ni no nosotros o os otra otro para pero poco por
porque puede qué quien sea según ser sido sin sobre su sus también tan tanto te tiene todo todos una
uno unos usted y ya alla alle anche ancora che chi ci come cosa cui da dagli dal dalla degli dei
della delle di dove è essere fra gli hanno io lo loro ma nel nella nelle noi non nostro ogni per
perché più poi può qua quale quando quanto quella quello questa questo sempre senza sia solo sono
sua sul sulla suo tra tutti tutto ao aos até com das deve dos ela ele em foi isso isto já lhe mas
mesmo meu muito na nas nem num numa não pela pelo pode quem são seja sem seu seus suas só tem uma
você
"""
_DUTCH: Final = """
aan af al als bij dan dat de deze die dit door een en er geen haar had heb heeft het hij hoe hun ik
in is je kan kunnen maar meer met mijn moet na naar niet nog nu of om onder ons onze ook op over te
tot uit van veel voor was wat we wel werd wij worden wordt zal ze zich zij zijn zo zonder
"""
_JAPANESE: Final = """
以下 以上 以外 以降 以前 以内 場合 必要 可能 対象 方法 内容 上記 下記 前記 次第
当社 弊社 御社 貴社 当該 本書 本件 皆様 各位 御中 様 等 及び 並び 又は 一方 全体
全部 一部 一般 通常 現在 今回 今後 今年 本年 昨年 平成 令和 昭和 年度 月分 年月日
午前 午後 株式会社 有限会社 部分 状況 結果 関係 関連 実施 利用 使用 確認 設定 表示
入力 選択 コト モノ タメ ページ 項目 種類 名称 場所 時間 期間内 同様 同時 自分 自身
参照 例 図 表 注 第一 第二 第三
"""
_AMBIGUOUS: Final = """
bin car den die door era hat man pour son tan van war
"""
_WEAK: Final = """
case cases change changes data date default detail details example examples feature features field
fields file files function information issue item key keys line list message method mode name names
note number object option options order page part path property reference result results setting
settings step steps support text time type types user users value values way work
"""

STOP: Final = frozenset(" ".join((_ENGLISH, _GERMAN, _ROMANCE, _DUTCH, _JAPANESE)).split())
"""Words that are no term and part of no phrase."""

AMBIGUOUS: Final = frozenset(_AMBIGUOUS.split())
"""Words of `STOP` that mean something in English."""

WEAK: Final = frozenset(_WEAK.split())
"""Words that are no term of their own, and part of many a phrase."""
