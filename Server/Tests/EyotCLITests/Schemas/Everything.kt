// Made by `eyot schema types`. Do not edit it: make it anew when a schema has changed.
// A phone drops what does not decode, without a word.
// From "Everything.schema.json".

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.JsonElement

/** The attributes of a start. */
@Serializable
data class EverythingAttributes(
    val title: String,
    /** UUID */
    val order: String,
    /** URL */
    val page: String? = null,
    /** Data: base64 */
    val key: String,
    val venue: EverythingAttributesVenue,
)

@Serializable
data class EverythingAttributesVenue(
    val name: String,
    val seats: UInt? = null,
)

/** What the cards show: contentState. */
@Serializable
data class EverythingAttributesContentState(
    val isLive: Boolean,
    val score: Score,
    val phase: Phase,
    val level: Level? = null,
    /** Date: seconds since 2001-01-01 UTC */
    val kickOff: Double,
    val numbers: EverythingAttributesContentStateNumbers,
    val goals: List<EverythingAttributesContentStateGoals>,
    val events: List<Event>,
    /** JsonElement: an array of Double, String? */
    val position: JsonElement,
    val marks: Map<String, Long>,
    /** names are whole numbers */
    val byShirt: Map<Long, String?>,
    val byPhase: Map<EverythingAttributesContentStateByPhaseKey, List<Score>>,
    /** JsonElement: Long or String */
    val idOrName: JsonElement,
    /** JsonElement: Boolean or String */
    val lists: List<JsonElement>? = null,
    /** may be left out, and may not be null */
    val neverNull: String? = null,
    val maybe: Maybe = null,
    /** JsonElement: null */
    val nothing: JsonElement?,
    val anything: JsonElement,
    val empty: Map<String, JsonElement>,
    val tree: Tree,
    val forest: Forest,
    val names: Names,
    @SerialName("class") val class_: String,
    /** JsonElement: EverythingAttributesContentStateHalf_time or EverythingAttributesContentStateHalf_time2 */
    @SerialName("half-time") val half_time: JsonElement,
)

@Serializable
data class EverythingAttributesContentStateNumbers(
    val int: Long,
    val int8: Byte,
    val int16: Short,
    val int32: Int,
    val int64: Long,
    val uint: ULong,
    val uint8: UByte,
    val uint16: UShort,
    val uint32: UInt,
    val uint64: ULong,
    val float: Float,
    val double: Double,
    val decimal: Double,
)

@Serializable
data class EverythingAttributesContentStateGoals(
    val by: String,
    /** may be left out, and may not be null */
    val minute: Long? = null,
)

@Serializable
enum class EverythingAttributesContentStateByPhaseKey {
    @SerialName("first") first,
    @SerialName("second") second,
}

@Serializable
enum class EverythingAttributesContentStateHalf_time {
    @SerialName("yes") yes,
    @SerialName("no") no,
}

/** One of 1, 2 */
typealias EverythingAttributesContentStateHalf_time2 = Long

/** An object with exactly one of these members: "goal": EventGoalValues, "card": EventCardValues, "over": Map<String, JsonElement> */
typealias Event = JsonElement

@Serializable
data class EventGoalValues(
    val by: String,
    /** Date: seconds since 2001-01-01 UTC */
    val _0: Double,
)

@Serializable
data class EventCardValues(
    val colour: EventCardValuesColour,
)

@Serializable
enum class EventCardValuesColour {
    @SerialName("yellow") yellow,
    @SerialName("red") red,
}

/** JsonElement: Map<String, Forest?> */
typealias Forest = JsonElement

/** One of 0, 1, -2 */
typealias Level = Byte

typealias Maybe = Long?

typealias Names = List<String>

@Serializable
enum class Phase {
    @SerialName("first") first,
    @SerialName("second") second,
    @SerialName("full-time") full_time,
}

@Serializable
data class Score(
    val home: Long,
    val away: Long,
)

@Serializable
data class Tree(
    val name: String,
    val branches: List<Tree>,
    val parent: Tree? = null,
)
