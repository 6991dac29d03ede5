// Made by `eyot schema types`. Do not edit it: make it anew when a schema has changed.
// A phone drops what does not decode, without a word.
// From "Odd.schema.json".

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.JsonElement

/** The attributes of a start. */
typealias Odd______Attributes = int

/** What the cards show: contentState. */
@Serializable
data class Odd______AttributesContentState(
    /** may be left out, and may not be null */
    @SerialName("quote\"s'`") val quote_s__: String? = null,
    /** may be left out, and may not be null */
    @SerialName("line\nbreak\u2028\u0085") val line_break__: String? = null,
    /** may be left out, and may not be null */
    @SerialName("*/ end /* begin") val ___end____begin: String? = null,
    /** may be left out, and may not be null */
    @SerialName("\"\"\"\\") val _____0: Long? = null,
    @SerialName("\u0024{x}\u0024y") val __x__y: Long? = null,
    /** may be left out, and may not be null */
    val __proto__: String? = null,
    /** may be left out, and may not be null */
    val __mangled: Long? = null,
    /** may be left out, and may not be null */
    @SerialName("_") val __0: String? = null,
    /** may be left out, and may not be null */
    @SerialName("") val _0: String? = null,
    /** may be left out, and may not be null */
    @SerialName("1st") val _1st: String? = null,
    @SerialName("in") val in_2: String,
    /** may be left out, and may not be null */
    val in_: String? = null,
    /** may be left out, and may not be null */
    val str: String? = null,
    /** may be left out, and may not be null */
    val List: List_? = null,
    /** may be left out, and may not be null */
    val score: Long? = null,
    /** may be left out, and may not be null */
    @SerialName("Score") val Score2: Long? = null,
    @SerialName("a-b") val a_b2: Long,
    /** may be left out, and may not be null */
    val a_b: Long? = null,
    /** may be left out, and may not be null */
    @SerialName("größe") val gru00F6u00DFe: String? = null,
    /** may be left out, and may not be null */
    @SerialName("\u202Eright to left") val _right_to_left: String? = null,
    /** may be left out, and may not be null */
    @SerialName("smile 😀 \uDB40\uDC01") val smile____: String? = null,
    /** may be left out, and may not be null */
    @SerialName("*/ choice") val ___choice: Odd______AttributesContentState___choice? = null,
    /** JsonElement: no value fits; may be left out, and may not be null */
    @SerialName("no case") val no_case: JsonElement? = null,
    /** JsonElement: no value fits; may be left out, and may not be null */
    val none: JsonElement? = null,
    /** may be left out, and may not be null */
    val keys: Map<Odd______AttributesContentStateKeysKey, Long>? = null,
)

/** An object with exactly one of these members: "\u002A/ a\n": Map<String, JsonElement>, "name": Box_Int_ */
typealias Odd______AttributesContentState___choice = JsonElement

@Serializable
enum class Odd______AttributesContentStateKeysKey {
    @SerialName("*/") ___0,
    @SerialName("\"\n") ___02,
}

typealias Type123 = gru00F6u00DFe

@Serializable
data class Box_Int_(
    val value: Long,
)

/** JsonElement: List<List_> */
typealias List_ = JsonElement

@Serializable
enum class Phase__ {
    @SerialName("\"); import os; (\"") ____import_os____,
    @SerialName("*/") ___0,
    @SerialName("\n") __0,
    @SerialName("name") name_,
    @SerialName("ordinal") ordinal_,
    @SerialName("first") first,
    @SerialName("First") First2,
    @SerialName("\u0024{x}") __x_,
    @SerialName("\\") __02,
    @SerialName("") _0,
    @SerialName("class") class_,
    @SerialName("größe") gru00F6u00DFe,
    @SerialName("\u202E") __03,
    @SerialName("\uDB40\uDC01") __04,
    @SerialName("😀") __05,
}

typealias Type_Hidden = List_?

typealias gru00F6u00DFe = Long

@Serializable
data class int(
    val x: Long,
    /** may be left out, and may not be null */
    val phase: Phase__? = null,
)
