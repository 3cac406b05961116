"""The languages that published models were trained on, as primary subtags of BCP 47."""

# XLM-R and what is built on it (COMET, CometKiwi, XCOMET). Source: Conneau and others 2020, "Unsupervised cross-lingual
# representation learning at scale", ACL, table 6.
_OF_XLM_R = (
    "af am ar as az be bg bn br bs ca cs cy da de el en eo es et eu fa fi fr fy ga gd gl gu ha he hi hr hu hy id is it "
    "ja jv ka kk km kn ko ku ky la lo lt lv mg mk ml mn mr ms my ne nl no om or pa pl ps pt ro ru sa sd si sk sl so sq "
    "sr su sv sw ta te th tl tr ug uk ur uz vi xh yi zh"
)
# Source: Fan and others 2021, "Beyond English-centric multilingual machine translation", JMLR, table 1; the codes are
# those of the tokenizer in transformers ("ns" for Northern Sotho is nso in BCP 47).
_OF_M2M100 = (
    "af am ar ast az ba be bg bn br bs ca ceb cs cy da de el en es et fa ff fi fr fy ga gd gl gu ha he hi hr ht hu hy "
    "id ig ilo is it ja jv ka kk km kn ko lb lg ln lo lt lv mg mk ml mn mr ms my ne nl no nso oc or pa pl ps pt ro ru "
    "sd si sk sl so sq sr ss su sv sw ta th tl tn tr uk ur uz vi wo xh yi yo zh zu"
)
XLM_R, M2M100 = tuple(_OF_XLM_R.split()), tuple(_OF_M2M100.split())
_SAME = {"nb": "no", "nn": "no", "fil": "tl", "iw": "he", "in": "id", "ji": "yi", "cmn": "zh", "arb": "ar", "swh": "sw"}


def primary_subtag(tag: str) -> str:
    """`pt-BR` is pt; Bokmål and Nynorsk are no, Filipino is tl, as models name them."""
    primary = tag.replace("_", "-").split("-")[0].lower()
    return _SAME.get(primary, primary)
