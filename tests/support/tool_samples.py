"""A small valid file of each format of an annotation tool, to be broken by tests."""

TEXTGRID = """File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0
xmax = 9.5
tiers? <exists>
size = 2
item []:
    item [1]:
        class = "IntervalTier"
        name = "ann"
        xmin = 0
        xmax = 9.5
        intervals: size = 2
        intervals [1]:
            xmin = 0
            xmax = 4
            text = "a ""b"" c"
        intervals [2]:
            xmin = 4
            xmax = 9.5
            text = ""
    item [2]:
        class = "TextTier"
        name = "bob"
        xmin = 0
        xmax = 9.5
        points: size = 1
        points [1]:
            number = 2.5
            mark = "p"
"""
EAF = """<?xml version="1.0" encoding="UTF-8"?>
<ANNOTATION_DOCUMENT FORMAT="3.0">
<HEADER TIME_UNITS="milliseconds"><PROPERTY NAME="unisono extent">0 5</PROPERTY></HEADER>
<TIME_ORDER><TIME_SLOT TIME_SLOT_ID="ts1" TIME_VALUE="100"/><TIME_SLOT TIME_SLOT_ID="ts2"/>
<TIME_SLOT TIME_SLOT_ID="ts3" TIME_VALUE="900"/></TIME_ORDER>
<TIER TIER_ID="ann" LINGUISTIC_TYPE_REF="turn" ANNOTATOR="ann">
<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a1" TIME_SLOT_REF1="ts1" TIME_SLOT_REF2="ts2">
<ANNOTATION_VALUE>x</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>
<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a2" TIME_SLOT_REF1="ts2" TIME_SLOT_REF2="ts3">
<ANNOTATION_VALUE>y</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION></TIER>
<TIER TIER_ID="bob" LINGUISTIC_TYPE_REF="turn" ANNOTATOR="bob">
<ANNOTATION><REF_ANNOTATION ANNOTATION_ID="a3" ANNOTATION_REF="a1">
<ANNOTATION_VALUE>z</ANNOTATION_VALUE></REF_ANNOTATION></ANNOTATION></TIER>
</ANNOTATION_DOCUMENT>
"""
RTTM = """SPEAKER talk 1 0.1 0.2 <NA> <NA> CHI 0.9 <NA>
SPEAKER talk 1 1.5 2e-1 <NA> <NA> MOT <NA> <NA>
SPKR-INFO talk 1 <NA> <NA> <NA> unknown CHI <NA> <NA>
"""
AUDACITY = "0.0\t2.5\tspeech\n\\\t100.0\t200.5\n3,25\t3,25\t\n"
WEBVTT = """WEBVTT

NOTE a note

1
00:00:01.100 --> 00:00:04.000 align:start
<v Ann>Hello &amp; <b>welcome</b>

01:00:00.5 --> 100:00:00
bye
"""
SRT = "1\n00:00:01,100 --> 00:00:04,000\n<i>Hello</i>\n\n2\n00:00:05,000 --> 00:00:06,000\nx\n"
GLOZZ = """<?xml version="1.0" encoding="UTF-8"?>
<annotations>
<unit id="u1"><metadata><author>ann</author></metadata>
<characterisation><type>T</type><featureSet><feature name="f">v</feature></featureSet>
</characterisation><positioning><start><singlePosition index="0"/></start>
<end><singlePosition index="5"/></end></positioning></unit>
<relation id="r1"><characterisation><type>R</type><featureSet/></characterisation>
<positioning><term id="u1"/><term id="u1"/></positioning></relation>
</annotations>
"""
WEBANNO = """#FORMAT=WebAnno TSV 3.3
#T_SP=webanno.custom.Span|value

#Text=I 😊 it
1-1\t0-1\tI\tA[1]|B[2]\t
1-2\t2-4\t😊\tA[1]\t
1-3\t5-7\tit\t_\t
1-3.1\t5-6\ti\tC\\|D\t
"""
XMI = """<?xml version="1.0" encoding="UTF-8"?>
<xmi:XMI xmlns:cas="http:///uima/cas.ecore" xmlns:custom="http:///webanno/custom.ecore"
 xmlns:xmi="http://www.omg.org/XMI">
<custom:Span xmi:id="4" sofa="1" begin="3" end="6" value="glad"><tags>a</tags></custom:Span>
<cas:Sofa xmi:id="1" sofaID="_InitialView" sofaString="😊 you me"/>
</xmi:XMI>
"""
CAS_JSON = """{"%TYPES": {"x.Span": {"%SUPER_TYPE": "uima.tcas.Annotation",
"value": {"%NAME": "value", "%RANGE": "uima.cas.String"}}}, "%FEATURE_STRUCTURES": [
{"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaID": "_InitialView", "sofaString": "😊 you"},
{"%ID": 2, "%TYPE": "x.Span", "@sofa": 1, "begin": 0, "end": 2, "value": ["a", 1]}]}
"""
GATE = """<?xml version="1.0" encoding="UTF-8"?>
<GateDocument><TextWithNodes><Node id="0"/>you<Node id="3"/> me</TextWithNodes>
<AnnotationSet Name="ann"><Annotation Id="1" Type="P" StartNode="0" EndNode="3"><Feature>
<Name>n</Name><Value>v</Value></Feature></Annotation></AnnotationSet></GateDocument>
"""

# Name of the format, of the file, and its text.
SAMPLES = (
    ("textgrid", "talk.TextGrid", TEXTGRID),
    ("eaf", "talk.eaf", EAF),
    ("rttm", "ann.rttm", RTTM),
    ("audacity", "ann.txt", AUDACITY),
    ("webvtt", "ann.vtt", WEBVTT),
    ("srt", "ann.srt", SRT),
    ("glozz", "talk.aa", GLOZZ),
    ("webanno", "ann.tsv", WEBANNO),
    ("uima", "ann.xmi", XMI),
    ("uima", "ann.json", CAS_JSON),
    ("gate", "talk.xml", GATE),
)
