"""Business documents as they look, in English and Japanese, by the type they are of."""

from __future__ import annotations

import pytest

DOCUMENTS: dict[tuple[str, str], str] = {
    ("invoice", "en"): """
        Northwind Traders Ltd.            INVOICE
        Invoice No: NW-20931              Invoice date: 3 March 2024
        Bill to: Contoso GmbH, Hamburg    Due date: 2 April 2024
        12 x Filter cartridge  18.00      216.00
        Subtotal 216.00   VAT 20% 43.20   Total due 259.20
        Payment terms: 30 days net. Please quote the number with your transfer.
    """,
    ("invoice", "ja"): """
        請　求　書                         請求番号 2024-0173
        株式会社みどり商事 御中             請求日 令和6年3月31日
        下記の通りご請求申し上げます。
        品名 数量 単価 金額   コピー用紙 10 3,000 30,000
        小計 30,000 円  消費税 3,000 円  合計金額 33,000 円
        お支払期限 4月30日  振込先 青空銀行 本店 普通 1234567
    """,
    ("receipt", "en"): """
        CORNER BOOKS   118 Main Street
        Receipt no. 55120   Cashier: Ana
        Paperback 12.50   Notebook 4.00   Sales tax 1.32   TOTAL 17.82
        Cash 20.00  Change due 2.18
        Thank you for your purchase! See our return policy at the counter.
    """,
    ("receipt", "ja"): """
        領収書        No. 0082
        田中一郎 様     金 5,500 円也（内消費税 500 円）
        但し 書籍代として   上記正に領収いたしました
        領収日 2024年5月1日   収入印紙   さくら書店
    """,
    ("quotation", "en"): """
        QUOTATION   Quotation number Q-118   Quote date: 12 June 2024
        Prepared for: Fabrikam Inc.
        We are pleased to quote as follows.
        2 x Pump P-40   890.00   1,780.00     Lead time: four weeks
        This quotation is valid for 30 days.
    """,
    ("quotation", "ja"): """
        御見積書     見積番号 M-2024-55     見積日 2024年6月12日
        株式会社あおい 御中    下記の通り御見積申し上げます。
        見積金額 178,000 円（税別）   納期 受注後4週間   見積有効期限 発行後30日
    """,
    ("purchase_order", "en"): """
        PURCHASE ORDER     PO number: 4500017321    Order date: 2024-02-01
        Vendor: Adventure Works      Ship to: Plant 3, Dock B
        10 pc bearing 6204  3.10  31.00
        Buyer: J. Meyer     Order total: 31.00
    """,
    ("purchase_order", "ja"): """
        発注書    発注番号 P-3321    発注日 2024年2月1日
        東西部品株式会社 御中    下記の通り発注いたします。
        品名 軸受 数量 10 単価 310   発注金額 3,100 円   納入場所 第三工場   希望納期 2月20日
    """,
    ("delivery_note", "en"): """
        DELIVERY NOTE  No. 7781     Ship date: 14 May 2024
        Delivered to: Lakeside Hotel     Carrier: Fast Freight     Tracking number 1Z99
        Towels, white   quantity shipped 200
        Received in good condition (name, date):
    """,
    ("delivery_note", "ja"): """
        納品書   納品番号 D-554   納品日 2024年5月14日
        湖畔ホテル 御中   下記の通り納品いたします。
        タオル 200 枚   納品先 客室係   受領印
    """,
    ("contract", "en"): """
        SERVICE AGREEMENT
        This Agreement is made between Alpha Ltd (hereinafter "Alpha") and Beta Inc. (the parties).
        1. Definitions. 2. Obligations of Alpha. 3. Confidential Information. 4. Termination: either party may
        terminate on thirty days' notice. 5. Force majeure. 6. Governing law: the laws of England.
        IN WITNESS WHEREOF the parties have signed.
    """,
    ("contract", "ja"): """
        業務委託契約書
        株式会社山川（以下「甲」という）と株式会社海野（以下「乙」という）は、次のとおり契約を締結する。
        第1条（目的）甲は乙に業務を委託し、乙はこれを受託する。 第2条（契約期間）一年とする。
        第3条（秘密保持）… 第4条（損害賠償）… 第5条（反社会的勢力の排除）… 第6条（合意管轄）東京地方裁判所を
        第一審の専属的合意管轄裁判所とする。本契約の成立を証するため、本書二通を作成する。
    """,
    ("policy", "en"): """
        Acceptable Use Policy      Policy owner: Chief Information Officer
        1. Purpose of this policy. 2. Scope: this policy applies to all staff.
        3. Employees must lock their screens. 4. Violations of this policy may lead to disciplinary action.
        Exceptions to this policy need written approval.
    """,
    ("policy", "ja"): """
        情報セキュリティ管理規程
        第1章 総則 （目的）本規程は、情報資産の保護に関する基本方針を定める。（適用範囲）全従業員に適用する。
        （遵守義務）従業員は本規程を遵守しなければならない。（懲戒）違反した場合は就業規則により処分する。
        附則 この規程は令和6年4月1日から施行する。本規程の改廃は取締役会の決議による。
    """,
    ("report", "en"): """
        Quarterly Report on Site Safety     Report date: 5 July 2024    Prepared by: S. Okafor
        Executive summary. This report covers the reporting period April to June.
        Methodology. Key findings: three near misses. Recommendations: new guard rails on line two.
    """,
    ("report", "ja"): """
        安全衛生活動 報告書    報告日 2024年7月5日    報告者 佐藤
        1. 実施状況 巡視を月2回行った。 2. 調査結果 ヒヤリハット3件（前年同期比 2件減）。
        3. 考察 手すりの不足が原因と考えられる。 4. 今後の課題 手すりの設置。 以上、報告いたします。
    """,
    ("minutes", "en"): """
        Minutes of the meeting of the Garden Committee, 9 May
        Attendees: R. Shah, L. Bauer. Apologies for absence: K. Ito.
        The meeting was called to order at 18:00. Motion carried to repair the fence.
        Action items: LB to ask for prices. Next meeting: 13 June. Adjourned at 19:10.
    """,
    ("minutes", "ja"): """
        定例会議 議事録
        開催日時 5月9日 18時   出席者 斉藤、林   欠席者 伊藤
        議題 柵の修繕について   決定事項 業者に見積を依頼する   次回開催 6月13日
    """,
    ("manual", "en"): """
        Model K-200 Electric Kettle — Instruction manual
        Read this manual before use and keep it. Safety precautions: do not disassemble the appliance.
        Keep the power cord away from heat. Part names. Cleaning. Warranty: two years.
    """,
    ("manual", "ja"): """
        電気ケトル K-200 取扱説明書
        ご使用の前に必ずお読みください。安全上のご注意 本製品を分解しないでください。電源コードを傷つけない。
        各部の名称  お手入れ  故障かなと思ったら  保証書
    """,
    ("resume", "en"): """
        JANE DOE — Curriculum vitae
        Professional experience: 2018–2024 Accountant, Tailspin Toys
        Education: Bachelor of Commerce, University of Leeds
        Skills: spreadsheets, SQL. Languages: English, French. References available upon request.
    """,
    ("resume", "ja"): """
        履歴書   ふりがな すずき はな   氏名 鈴木 花   生年月日 平成5年4月2日
        学歴 平成28年3月 東西大学経済学部 卒業   職歴 平成28年4月 株式会社青木 入社
        免許・資格 普通自動車第一種運転免許   志望動機  本人希望記入欄
    """,
    ("presentation", "en"): """
        Growing together — partner day 2024
        Agenda / About us / Our team / Market opportunity / Case study / Key takeaways / Next steps
        Thank you! Any questions?
    """,
    ("presentation", "ja"): """
        新サービスのご提案  アジェンダ  会社紹介  背景と目的  導入事例  まとめ  質疑応答
        ご清聴ありがとうございました
    """,
    ("letter", "en"): """
        12 March 2024    Dear Ms Novak,
        I am writing to thank you for your visit last week. Please find enclosed the brochure you asked for.
        I look forward to hearing from you.    Yours sincerely, Paul Green     Enclosure
    """,
    ("letter", "ja"): """
        お客様各位   拝啓 時下ますますご清栄のこととお慶び申し上げます。
        平素は格別のお引き立てを賜り厚く御礼申し上げます。
        さて、このたび弊社は本社を移転いたしました。  敬具
    """,
    ("form", "en"): """
        MEMBERSHIP APPLICATION FORM   (please print)     For office use only: ____
        Applicant's name ______ Middle initial __ Date of birth ______ Zip code _____
        Check one: [ ] new [ ] renewal      Signature of applicant ________
    """,
    ("form", "ja"): """
        住所変更届出書  届出日 年 月 日
        フリガナ      氏名      押印  生年月日   電話番号
        該当するものに丸をつけてください。記入例は裏面をご覧のうえ、ご記入ください。  本人確認書類を添付
    """,
    ("financial_statement", "en"): """
        Consolidated balance sheets (in thousands)
        Accounts receivable 4,110   Total assets 20,332   Accounts payable 1,900   Total liabilities 9,820
        Stockholders' equity 10,512   Retained earnings 7,004
        Statements of income: gross profit 6,400, operating income 2,100, net income 1,480
    """,
    ("financial_statement", "ja"): """
        貸借対照表  流動資産 4,110  固定資産 16,222  流動負債 5,900  固定負債 3,920  純資産 10,512
        損益計算書  売上高 30,100  営業利益 2,100  経常利益 2,050  当期純利益 1,480
    """,
    ("press_release", "en"): """
        FOR IMMEDIATE RELEASE     Press release
        Proseware opens plant in Porto.  Proseware Inc., headquartered in Lisbon, today announced a new plant.
        Media contact: press@proseware.example
    """,
    ("press_release", "ja"): """
        報道関係者各位    ニュースリリース
        株式会社ひかり（代表取締役社長 大野）は、本日より新サービスの提供を開始したと発表しました。
        本件に関するお問い合わせ先 広報室
    """,
    ("specification", "en"): """
        Software requirements specification — Warehouse terminal
        1. Scope of work. 2. Terms and definitions. 3. Functional requirements: the system shall print labels.
        4. Non-functional requirements. 5. Acceptance criteria.
    """,
    ("specification", "ja"): """
        在庫管理システム 要求仕様書
        1 業務内容  2 機能要件 ラベルを印刷できること。 3 非機能要件 応答は2秒以内。
        4 納入物 設計書一式  5 検収 受注者は試験成績書を提出する。
    """,
    ("faq", "en"): """
        Frequently asked questions
        How do I reset my password? Use the link below the form.
        Can I change my plan later? Yes. What happens if I miss a payment? We send a reminder.
    """,
    ("faq", "ja"): """
        よくあるご質問
        Q パスワードを忘れました。どうすればいいですか。 A 再設定の画面をお使いください。
        Q プランは変更できますか。 A はい。 Q 最低利用期間はありますか。 A ありません。
    """,
}


@pytest.fixture(params=sorted(DOCUMENTS), ids="-".join)
def typed_document(request: pytest.FixtureRequest) -> tuple[str, str]:
    """A document type and a document of it."""
    return request.param[0], DOCUMENTS[request.param]
